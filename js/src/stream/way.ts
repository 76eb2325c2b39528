/** Lines with the corners that are seen. */

/** Nobody sees a line pass so far beside a point, px. */
const UNSEEN = 0.2;

/** A line from left to right through given points, of which those are left out that it passes unseen: fewer corners are drawn faster. */
export class Way {
  /** The last corner, the last point, and the slopes that pass all points since the corner. */
  private lastX: number;
  private lastY: number;
  private least = -Infinity;
  private most = Infinity;

  constructor(
    private readonly path: { moveTo(x: number, y: number): void; lineTo(x: number, y: number): void },
    private x: number,
    private y: number,
  ) {
    [this.lastX, this.lastY] = [x, y];
    path.moveTo(x, y);
  }

  to(x: number, y: number): void {
    const slope = (y - this.y) / (x - this.x);
    if (slope < this.least || slope > this.most) {
      this.path.lineTo(this.lastX, this.lastY);
      [this.x, this.y, this.least, this.most] = [this.lastX, this.lastY, -Infinity, Infinity];
    }
    const run = x - this.x;
    this.least = Math.max(this.least, (y - UNSEEN - this.y) / run);
    this.most = Math.min(this.most, (y + UNSEEN - this.y) / run);
    [this.lastX, this.lastY] = [x, y];
  }

  end(): void {
    this.path.lineTo(this.lastX, this.lastY);
  }
}
