/** Joins class names into one attribute and leaves out what does not apply. */
export function joinClasses(...names: (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
