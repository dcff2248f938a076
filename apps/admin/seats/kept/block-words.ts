/** The office's words and colours for blocks. */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { listBlocks } from '#server/contract/blocks.ts';
import type { BlockColor } from '#server/domain/seat/block.ts';
import { formatListDate } from '#apps/shared/format.ts';

export type Block = ReplyOf<typeof listBlocks>['items'][number];

export const colorWords = withOther<Record<BlockColor, string>>(
  {
    grey: 'Grigio',
    red: 'Rosso',
    orange: 'Arancio',
    green: 'Verde',
    blue: 'Azzurro',
    violet: 'Viola',
  },
  newerWord,
);

export const usualReasons = ['Tecnici', 'Sponsor', 'Stampa', 'Distanza', 'Vista limitata'];

export function releaseWords(release_at: string | null): string {
  return release_at === null ? 'Senza scadenza' : `Fino al ${formatListDate(release_at)}`;
}
