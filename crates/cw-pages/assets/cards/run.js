// The way of a run is longer than a phone is wide: what comes now is in view.

document.querySelector(".run-way [data-here], .run-way li:last-child")?.scrollIntoView({ block: "nearest", inline: "center" });
