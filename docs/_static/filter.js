// A field that filters an opcode grid or a table. Without a script the grid and the table are whole.
(function () {
  "use strict";
  function rows(target) {
    return target.querySelectorAll(target.tagName === "TABLE" ? "td[data-words]" : "tbody tr");
  }
  function words(item) {
    return item.dataset.words || item.textContent.toLowerCase();
  }
  function add(place) {
    var target = document.getElementById(place.dataset.for);
    if (!target) return;
    var id = "filter-" + place.dataset.for;
    var label = document.createElement("label");
    label.textContent = "Filter ";
    label.htmlFor = id;
    var field = document.createElement("input");
    field.type = "search";
    field.id = id;
    field.placeholder = "name, code or meaning";
    var count = document.createElement("span");
    count.setAttribute("role", "status");
    place.append(label, field, count);
    field.addEventListener("input", function () {
      var wanted = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      var shown = 0;
      rows(target).forEach(function (item) {
        var found = wanted.every(function (word) { return words(item).includes(word); });
        if (found) shown += 1;
        item.classList.toggle("lw-out", !found);
      });
      count.textContent = wanted.length ? " " + shown + " found" : "";
    });
  }
  document.addEventListener("DOMContentLoaded", function () {
    document.querySelectorAll(".lw-filter").forEach(add);
  });
})();
