// The best pages above the results of Sphinx, by the index of lanewise_site/search.py; `find` is the same as there.
(function () {
  "use strict";
  var here = document.currentScript ? document.currentScript.src : "";
  function stem(word) {
    if (word.length > 3 && word.endsWith("s") && !/(ss|us|is)$/.test(word)) word = word.slice(0, -1);
    ["ing", "ed"].some(function (ending) {
      if (!word.endsWith(ending) || word.length - ending.length < 4) return false;
      word = word.slice(0, -ending.length);
      if (word[word.length - 1] === word[word.length - 2]) word = word.slice(0, -1);
      return true;
    });
    return word.length > 4 && word.endsWith("e") ? word.slice(0, -1) : word;
  }
  function words(index, text) {
    return (text.toLowerCase().match(/[a-z0-9_]+/g) || [])
      .filter(function (word) { return !index.stop.includes(word); }).map(stem);
  }
  function weights(index, word) {
    var found = new Map();
    function take(list, share) {
      for (var n = 0; n < list.length; n += 2) found.set(list[n], Math.max(found.get(list[n]) || 0, list[n + 1] * share));
    }
    if (Object.hasOwn(index.words, word)) take(index.words[word], 1);
    else if (word.length >= 4) {
      Object.keys(index.words).forEach(function (longer) {
        if (longer.startsWith(word)) take(index.words[longer], index.partial);
      });
    }
    return found;
  }
  function find(index, query, most) {
    var asked = Array.from(new Set(words(index, query)));
    var phrase = " " + asked.join(" ") + " ";
    var scores = new Map();
    var hits = new Map();
    function add(map, key, value) { map.set(key, (map.get(key) || 0) + value); }
    asked.forEach(function (word) {
      weights(index, word).forEach(function (weight, n) { add(scores, n, weight); add(hits, n, 1); });
    });
    Object.keys(index.synonyms).forEach(function (said) {
      if (!phrase.includes(" " + said + " ")) return;
      var found = index.synonyms[said].map(function (word) { return weights(index, word); });
      found.forEach(function (where) {
        where.forEach(function (weight, n) { add(scores, n, weight * index.synonym); });
      });
      found[0].forEach(function (_, n) {
        if (!found.every(function (where) { return where.has(n); })) return;
        hits.set(n, Math.min(asked.length, (hits.get(n) || 0) + said.split(" ").length));
      });
    });
    function rank(n) { return scores.get(n) * ((hits.get(n) || 0) / Math.max(1, asked.length)); }
    var seen = new Set();
    return Array.from(scores.keys()).sort(function (a, b) { return rank(b) - rank(a) || a - b; }).filter(function (n) {
      var page = index.sections[n][0];
      return seen.size < most && !seen.has(page) && seen.add(page);
    }).map(function (n) { return index.sections[n]; });
  }
  function show(index) {
    var query = new URLSearchParams(window.location.search).get("q");
    var results = document.getElementById("search-results");
    if (!query || !results) return;
    var found = find(index, query, 8);
    if (!found.length) return;
    var box = document.createElement("section");
    box.className = "lw-best";
    var head = document.createElement("h2");
    head.textContent = "Best pages";
    var list = document.createElement("ol");
    found.forEach(function (section) {
      var item = document.createElement("li");
      var link = document.createElement("a");
      link.href = section[0] + ".html" + (section[1] ? "#" + section[1] : "");
      link.textContent = section[2];
      item.append(link);
      list.append(item);
    });
    box.append(head, list);
    results.before(box);
  }
  window.lanewiseFind = find;
  document.addEventListener("DOMContentLoaded", function () {
    if (!document.getElementById("search-results")) return;
    var script = document.createElement("script");
    script.src = here.replace(/search\.js.*$/, "search-index.js");
    script.onload = function () { show(window.lanewiseSearch); };
    document.head.append(script);
  });
})();
