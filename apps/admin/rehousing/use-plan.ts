/** Changes a plan: each request returns the new plan, and the last change can be undone. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Asked, EndpointShape } from '#server/contract/endpoint.ts';
import {
  markForRefund,
  previewRehousingMail,
  readRehousing,
  rehousingHall,
  seatByHand,
  solveRehousing,
} from '#server/contract/rehousings.ts';
import { keyOf } from '#apps/shared/query.ts';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import type { PlacedFirst } from '#server/domain/seat/rehousing-priority.ts';
import type { Choice, Group, Plan } from './plan.ts';

interface Undo {
  /** The plan's version after the change. */ version: number;
  lines: readonly Choice[];
}

/** Stores a returned plan for the screen, or reads it again after an error. */
export function useStorePlan(eventId: string) {
  const client = useQueryClient();
  const queryKey = keyOf(readRehousing, { params: { eventId } });
  return {
    keep(plan: Plan) {
      client.setQueryData(queryKey, { rehousing: plan, last: null });
      void client.invalidateQueries({ queryKey: keyOf(previewRehousingMail) });
    },
    /** Replaces the map, too, because another hall or other categories need a new one. */
    async keepProposal(plan: Plan) {
      client.removeQueries({ queryKey: keyOf(rehousingHall), type: 'inactive' });
      client.setQueryData(queryKey, { rehousing: plan, last: null });
      await client.invalidateQueries({ queryKey: keyOf(rehousingHall) });
    },
    reread: () => client.invalidateQueries({ queryKey }),
  };
}

export function usePlan(eventId: string, plan: Plan) {
  const act = useAct();
  const { keep, reread } = useStorePlan(eventId);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const [undo, setUndo] = useState<Undo | null>(null);

  /** Null: the request was refused and the reason is shown. */
  async function ask<const E extends EndpointShape>(endpoint: E, asked: Asked<E>, said: string) {
    setBusy(true);
    setFailure(null);
    setDone(null);
    try {
      const next = (await act(endpoint, asked)) as Plan;
      keep(next);
      setDone(said);
      return next;
    } catch (error) {
      setFailure(tellFailure(error));
      await reread();
      return null;
    } finally {
      setBusy(false);
    }
  }

  const params = { eventId };
  async function seat(lines: readonly Choice[], locked: boolean, said: string) {
    const body = { version: plan.version, locked, lines: [...lines] };
    const next = await ask(seatByHand, { params, body }, said);
    setUndo(next === null ? null : { version: next.version, lines: changedSince(plan, next) });
    return next !== null;
  }

  async function takeBack() {
    if (undo === null) return;
    const body = { version: plan.version, locked: false, lines: [...undo.lines] };
    await ask(seatByHand, { params, body }, 'Modifica annullata.');
    setUndo(null);
  }

  return {
    busy,
    failure,
    done,
    mayUndo: undo !== null && undo.version === plan.version,
    seat: (lines: readonly Choice[]) => seat(lines, true, 'Posti cambiati e bloccati.'),
    lock: (group: Group, locked: boolean) =>
      seat(placesOf(group), locked, locked ? 'Posti bloccati.' : 'Posti sbloccati.'),
    solve: (first?: PlacedFirst) =>
      ask(solveRehousing, { params, body: solveBody(plan, first) }, 'Il resto è stato risolto.'),
    /** Marks what has no place of these groups for a refund, or takes the mark away. */
    mark: (groups: readonly Group[], marked: boolean) =>
      ask(markForRefund, { params, body: markBody(plan, groups, marked) }, markedWords(marked)),
    takeBack,
  };
}

function placesOf({ lines }: Group): Choice[] {
  return lines.map(({ line_id, to_object }) => ({ line_id, object: to_object }));
}

function solveBody({ version }: Plan, first: PlacedFirst | undefined) {
  return { version, ...(first && { first }) };
}

const markedWords = (marked: boolean) =>
  marked ? 'Segnati per il rimborso.' : 'Non più da rimborsare.';

/** The lines without a place whose mark changes. */
function markBody({ version }: Plan, groups: readonly Group[], marked: boolean) {
  const lines = groups.flatMap((group) => group.lines);
  const line_ids = lines.flatMap((line) =>
    line.to_object === null && line.marked !== marked ? [line.line_id] : [],
  );
  return { version, marked, line_ids };
}

/** The old place and lock of each changed line. */
function changedSince(before: Plan, after: Plan): Choice[] {
  const now = new Map(
    after.groups.flatMap(({ lines }) => lines.map((line) => [line.line_id, line] as const)),
  );
  return before.groups.flatMap(({ lines }) =>
    lines.flatMap(({ line_id, to_object, locked }) => {
      const next = now.get(line_id);
      const isSame = next === undefined || (next.to_object === to_object && next.locked === locked);
      return isSame ? [] : [{ line_id, object: to_object, locked }];
    }),
  );
}
