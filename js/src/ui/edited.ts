/** The name of data, and whether they still are those data: cells that were edited are not what was loaded. */

/** In front: the end of a long name is cut. */
const MARK = "Edited from ";

/** Whether a number is another one than was loaded; two that are no number are alike. */
export function differs(a: number, b: number): boolean {
  return !(Math.abs(a - b) <= 1e-12) && !(Number.isNaN(a) && Number.isNaN(b));
}

export function isEdited(now: ArrayLike<number>, loaded: ArrayLike<number>): boolean {
  // Nothing loaded is sent where nothing can be edited.
  if (now.length !== loaded.length) return false;
  for (let k = 0; k < now.length; k++) if (differs(now[k] as number, loaded[k] as number)) return true;
  return false;
}

/** As `edited_title` in Python. */
export function editedTitle(title: string, edited: boolean): string {
  return edited && title && !title.startsWith(MARK) ? MARK + title : title;
}
