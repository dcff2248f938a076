/** The blocks of an event, their actions, and undo. */
import { useState } from 'react';
import {
  blockAreaPlaces,
  blockSeats,
  editBlock,
  freeHolds,
  listBlocks,
  releaseBlock,
  unblockSeats,
} from '#server/contract/blocks.ts';
import { formatCount } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { useChange } from '#apps/admin/kit/refresh.ts';
import type { Terms } from './block-dialog.tsx';
import type { Block } from './block-words.ts';

export interface Done {
  text: string;
  /** Null: the act cannot be undone. */
  undo: (() => Promise<unknown>) | null;
}

const pollMs = 15_000;

function countOf({ objects, area }: Block): number {
  return area?.places ?? objects.length;
}

function tell(blocks: readonly Block[], one: string, many: string): string {
  const count = blocks.reduce((sum, block) => sum + countOf(block), 0);
  return `${formatCount(count, one, many)}.`;
}

function termsOf({ reason, color, release_at }: Block): Terms {
  return { reason, color, release_at };
}

export function useBlocks(eventId: string) {
  const params = { eventId };
  const query = useEndpoint(listBlocks, { params }, { refetchInterval: pollMs });
  const change = useChange();
  const [done, setDone] = useState<Done | null>(null);

  const again = async (released: readonly Block[]) => {
    for (const block of released) {
      const { objects, area } = block;
      if (area === null) await change(blockSeats, { params, body: { objects, ...termsOf(block) } });
      else await change(blockAreaPlaces, { params, body: { ...area, ...termsOf(block) } });
    }
  };
  const made = (block: Block) =>
    setDone({
      text: tell([block], 'posto bloccato', 'posti bloccati'),
      undo: () => change(releaseBlock, { params: { ...params, blockId: block.block_id } }),
    });
  const gone = (released: Block[]) =>
    setDone({
      text: tell(released, 'posto di nuovo in vendita', 'posti di nuovo in vendita'),
      undo: released.length === 0 ? null : () => again(released),
    });

  return {
    query,
    blocks: query.data?.items ?? [],
    done,
    forget: () => setDone(null),
    async block(objects: readonly string[], terms: Terms) {
      made(await change(blockSeats, { params, body: { objects: [...objects], ...terms } }));
    },
    async blockArea(object: string, places: number, terms: Terms) {
      made(await change(blockAreaPlaces, { params, body: { object, places, ...terms } }));
    },
    async unblock(objects: readonly string[]) {
      const body = { objects: [...objects] };
      gone((await change(unblockSeats, { params, body })).released);
    },
    async release({ block_id }: Block) {
      const asked = { params: { ...params, blockId: block_id } };
      gone((await change(releaseBlock, asked)).released);
    },
    async edit(block: Block, body: Terms) {
      const at = { ...params, blockId: block.block_id };
      await change(editBlock, { params: at, body });
      setDone({
        text: 'Blocco cambiato.',
        undo: () => change(editBlock, { params: at, body: termsOf(block) }),
      });
    },
    async freeHolds(objects: readonly string[]) {
      await change(freeHolds, { params, body: { objects: [...objects] } });
      setDone({
        text: `${formatCount(objects.length, 'posto', 'posti')} di nuovo in vendita.`,
        undo: null,
      });
    },
  };
}

export type Blocks = ReturnType<typeof useBlocks>;
