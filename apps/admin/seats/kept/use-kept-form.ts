/**
 * The state of the forms for blocks and contingents: fields, sending, seats that are not free.
 */
import { useState } from 'react';
import type { BlockColor } from '#server/domain/seat/block.ts';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { fieldOf, isoOf, releaseFault, takenOf } from './release-time.ts';

export interface KeptTerms {
  color: BlockColor;
  /** ISO; null: until somebody ends it. */
  release_at: string | null;
}

interface KeptFormOptions {
  start: KeptTerms;
  /** How many places of a standing area are free. */
  areaFree?: number;
  /** Gets the seats that were not free. */
  onRefused?: (objects: readonly string[]) => void;
}

export function useKeptForm({ start, areaFree, onRefused }: KeptFormOptions) {
  const [color, setColor] = useState(start.color);
  const [release, setRelease] = useState(fieldOf(start.release_at));
  const [places, setPlaces] = useState(areaFree === undefined ? '' : '1');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [taken, setTaken] = useState<readonly string[]>([]);

  /** `ownFault` is a fault in the calling form's own fields. */
  async function send(
    ownFault: string | null,
    submit: (terms: KeptTerms, places: number) => Promise<unknown>,
  ): Promise<void> {
    const fault = placesFault(places, areaFree) ?? ownFault ?? releaseFault(release);
    if (fault !== null) return setFailure(fault);
    setBusy(true);
    setFailure(null);
    setTaken([]);
    // The field cannot tell apart two equal hours in autumn, so an unchanged time is not read.
    const isSame = release === fieldOf(start.release_at);
    try {
      const release_at = isSame ? start.release_at : isoOf(release);
      await submit({ color, release_at }, Number(places));
    } catch (error) {
      const refused = takenOf(error);
      if (areaFree === undefined) setTaken(refused);
      if (refused.length > 0) onRefused?.(refused);
      setFailure(tellFailure(error));
    } finally {
      setBusy(false);
    }
  }
  return { color, setColor, release, setRelease, places, setPlaces, busy, failure, taken, send };
}

function placesFault(places: string, areaFree: number | undefined): string | null {
  return areaFree === undefined || /^[1-9]\d{0,5}$/.test(places.trim())
    ? null
    : 'Scrivi quanti posti, con un numero intero.';
}
