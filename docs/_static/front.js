// The playground of the front page: a picture until it is seen on a wide screen, or asked for on a narrow one.
(function () {
  "use strict";
  function run(place) {
    if (place.querySelector("iframe")) return;
    var frame = document.createElement("iframe");
    frame.src = place.dataset.src;
    frame.title = "The playground: a shader beside what it draws";
    // The picture stays until there is more to see than a bar that grows: the playground says when.
    window.addEventListener("message", function (event) {
      if (event.source === frame.contentWindow && event.data === "lanewise playground: ready") place.classList.add("lw-runs");
    });
    place.append(frame);
    var button = place.querySelector("button");
    button.disabled = true;
    button.textContent = "Loading…";
  }
  document.addEventListener("DOMContentLoaded", function () {
    var place = document.querySelector(".lw-front");
    if (!place || !location.protocol.startsWith("http")) return;
    var button = document.createElement("button");
    button.textContent = "Run it here (20 MB)";
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
