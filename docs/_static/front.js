// The playground of the front page: a picture until it is seen on a wide screen, or asked for on a narrow one.
(function () {
  "use strict";
  function run(place) {
    if (place.querySelector("iframe")) return;
    var frame = document.createElement("iframe");
    frame.src = place.dataset.src;
    frame.title = "The playground: a shader beside what it draws";
    frame.addEventListener("load", function () { place.classList.add("lw-runs"); });
    place.append(frame);
    place.querySelector("button").hidden = true;
  }
  document.addEventListener("DOMContentLoaded", function () {
    var place = document.querySelector(".lw-front");
    if (!place || !location.protocol.startsWith("http")) return;
    var button = document.createElement("button");
    button.textContent = "Run it here";
    button.addEventListener("click", function () { run(place); });
    place.append(button);
    var sparing = navigator.connection && navigator.connection.saveData;
    if (sparing || !window.matchMedia("(min-width: 60rem)").matches || !window.IntersectionObserver) return;
    new IntersectionObserver(function (seen, observer) {
      if (!seen.some(function (one) { return one.isIntersecting; })) return;
      observer.disconnect();
      run(place);
    }).observe(place);
  });
})();
