/** The part of the till's address with the order to which the next sale adds seats. */

export const addingName = 'order';

export function partOfAddress(): { part_of?: string } {
  const id = new URLSearchParams(window.location.search).get(addingName);
  return id === null || id === '' ? {} : { part_of: id };
}
