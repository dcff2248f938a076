/** Finds tickets by the words of their people's names and by the number of their order. */
import { nameWordsOf, type Block } from '#server/domain/door/door-block.ts';
import type { ListedTicket } from '#server/domain/door/door-list.ts';
import { nameWords } from '#server/domain/text/search.ts';
import { bothBits, matchAmong, wordsOf, type Bits } from './search-words.ts';

/**
 * Each word of all names is compared only once; order numbers are all different, so their bytes
 * are compared.
 */
export function peopleMatcher(image: Block, words: readonly string[]): (ticket: number) => Bits {
  const { name_word, name_word_from, order_number, order_number_from } = image;
  const known = nameWordsOf(image);
  const wordBits = Int32Array.from(known, (word) => matchAmong([word], words));
  const asked = words.map((word) => new TextEncoder().encode(word));
  return (ticket) => {
    let bits = 0;
    const end = name_word_from[ticket + 1] ?? 0;
    for (let i = name_word_from[ticket] ?? end; i < end; i += 1)
      bits |= wordBits[name_word[i] ?? 0] ?? 0;
    const number = {
      from: order_number_from[ticket] ?? 0,
      end: order_number_from[ticket + 1] ?? 0,
    };
    bits |= matchNumber(order_number, number, asked);
    return bits;
  };
}

const dash = 45;

/** "A7K2-9QX4": a typed word may begin either half, or both without the dash. */
function matchNumber(
  bytes: Uint8Array,
  { from, end }: { from: number; end: number },
  asked: readonly Uint8Array[],
): Bits {
  let bits = 0;
  for (let start = from; start < end; start += 1) {
    if (start > from && bytes[start - 1] !== dash) continue;
    for (let word = 0; word < asked.length; word += 1) {
      const wanted = asked[word] ?? bytes;
      let at = start;
      let i = 0;
      for (; i < wanted.length && at < end; at += 1) {
        // The bit that distinguishes capitals from small letters; it is set in digits, too.
        if (bytes[at] === dash) continue;
        if (((bytes[at] ?? 0) | 32) !== wanted[i]) break;
        i += 1;
      }
      if (i === wanted.length)
        bits |= at === end || bytes[at] === dash ? bothBits(word) : 1 << word;
    }
  }
  return bits;
}

/** The same for a ticket that has changed since the block was made. */
export function matchPeople(
  { name, buyer, order_number }: ListedTicket,
  words: readonly string[],
): Bits {
  const number = order_number ?? '';
  return matchAmong(
    [
      ...nameWords(name ?? ''),
      ...nameWords(buyer ?? ''),
      ...wordsOf(number),
      ...wordsOf(number.replace('-', '')),
    ],
    words,
  );
}
