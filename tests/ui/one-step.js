// What step each part of a stream simulator shows, frame by frame while it plays.
async ([root, frames]) => {
    // What the picture says is text on a canvas: heard as it is written.
    const canvas = CanvasRenderingContext2D.prototype;
    const { fillText, clearRect } = canvas;
    let written = [];
    canvas.fillText = function (text, ...place) {
        written.push(text);
        return fillText.call(this, text, ...place);
    };
    canvas.clearRect = function (...place) {
        if (this.canvas.isConnected) written = [];
        return clearRect.apply(this, place);
    };
    const number = (pattern, text) => Number(pattern.exec(text)[1].replaceAll(",", ""));
    const all = (selector) => [...root.querySelectorAll(selector)].map((el) => el.textContent);
    const found = [];
    for (let k = 0; k < frames; k++) {
        await new Promise(requestAnimationFrame);
        // Whoever draws in this frame has drawn.
        await new Promise((done) => setTimeout(done));
        if (written.length === 0) continue;
        const row = all(".sx-steps tbody tr:last-child > *");
        const notes = all(".px-audit-note").filter((text) => text.includes("over at"));
        const leaks = all(".sx-lane-head").map((_, lane) => row[3 + 4 * lane + 2].replace(", over", ""));
        found.push({
            steps: [
                number(/step ([0-9,]+)/, all(".sx-heading-step")[0]),
                number(/step ([0-9,]+)/, all(".sx-at")[0]),
                number(/([0-9,]+)/, row[0]),
                // A mechanism that keeps its promise in this step is told by its worst one.
                ...all(".px-lead").filter((text) => text.includes(" in step ")).map((text) => number(/in step ([0-9,]+)/, text)),
                number(/Composition, ([0-9,]+)/, all(".sx-audit")[0]),
                ...all(".sx-wrong").map((text) => number(/of ([0-9,]+)/, text)),
                ...notes.map((text) => number(/of ([0-9,]+)/, text)),
            ],
            told: all(".px-lead").some((text) => text.includes(" in step ")),
            picture: leaks.every((text) => written.includes(text)),
        });
    }
    Object.assign(canvas, { fillText, clearRect });
    return found;
}
