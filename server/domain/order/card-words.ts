/** The card of an agreement, for its holder and for the door (RULES P7). */
import { isolate } from '#server/domain/text/direction.ts';
import { conventionsOf } from './priced-order.ts';

/** For the holder of a line's ticket: "Convenzione Soci FAI: mostra la tessera all’ingresso". */
export function cardRemarks(line: { price_reasons: string | null }): string[] {
  return conventionsOf(line).map((name) => {
    const whole = /^convenzione\b/i.test(name) ? name : `Convenzione ${isolate(name)}`;
    return `${whole}: mostra la tessera all’ingresso`;
  });
}

/** Beside the verdict: "Chiedi la tessera: Soci FAI". */
export function askCardWords(name: string): string {
  return `Chiedi la tessera: ${isolate(name)}`;
}
