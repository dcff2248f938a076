/** The files of a figure. */
export function FigureFiles() {
  return null;
}
