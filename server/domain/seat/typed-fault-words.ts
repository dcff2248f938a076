/** What is told about typed seats that could not be read, with the names they may mean. */
import { printedName } from './typed-index.ts';
import type { TypedSeats } from './typed-seats.ts';

/** The most seats that one doubtful name is told to be. */
const mostNamed = 3;

/** One clause for each fault, without the full stop. */
export function typedFaults({ unknown, doubtful, unfinished }: Omit<TypedSeats, 'objects'>) {
  return [
    ...unknown.map((name) => `${name} non esiste`),
    ...doubtful.map(({ text, among }) => {
      const names = among.slice(0, mostNamed).map(printedName);
      const more = among.length - names.length;
      const others = more > 0 ? ` o ${more === 1 ? 'un altro posto' : `altri ${more} posti`}` : '';
      return `${text} può essere «${names.join('», «')}»${others}: scrivi anche il settore`;
    }),
    ...unfinished.map((name) => `${name}: scrivi anche il posto`),
  ];
}
