/**
 * An event's waiting room in this browser: the public state, the visitor's place, and the
 * possible acts.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call, CallError } from '#apps/shared/api.ts';
import { keyOf } from '#apps/shared/query.ts';
import {
  enterQueue,
  readQueue,
  readQueuePlace,
  takeQueueHold,
  takeQueuePass,
} from '#server/contract/queue.ts';
import {
  toldWait,
  waitBounds,
  withSighting,
  type Sighting,
  type ToldWait,
  type Wait,
} from '#server/domain/queue/wait.ts';
import { makeOwnPart } from './own-part.ts';
import { aheadOf, placeDueAt, roomAgainMs, queueStageOf, type Place, type Room } from './stage.ts';
import type { QueueFacts } from './words.ts';

interface Known {
  room: Room;
  /** Null: this browser has no place. */
  place: Place | null;
  /** When to refetch the place; null: not before the room changes. */
  placeDue: number | null;
  seen: readonly Sighting[];
  told: ToldWait | null;
  /** This browser's clock minus the server's. */
  skewMs: number;
}

export interface Queue extends Pick<Known, 'room' | 'place'> {
  facts: QueueFacts;
  /** The last request failed, so the state is old. */
  isLost: boolean;
  /** Turns a time of the server into this browser's clock. */
  toLocal: (iso: string) => number;
  enter: () => Promise<void>;
  /** Lets in a visitor whose turn has come, or who has a code. */
  goIn: (code?: string) => Promise<void>;
  /** Lets the visitor choose again after giving up an order, while the turn lasts. */
  goBack: () => Promise<void>;
  adopt: (place: Place) => void;
  /** Refetches room and place. */
  refresh: () => Promise<unknown>;
}

/** Null until the first answer; an error if that fails. */
export function useQueue(eventId: string): Queue | Error | null {
  const client = useQueryClient();
  const ask = { params: { eventId } };
  const queryKey = keyOf(readQueue, ask);
  const [luck] = useState(Math.random);
  const { data, error, fetchStatus } = useQuery({
    queryKey,
    queryFn: () => look(eventId, client.getQueryData<Known>(queryKey), luck),
    refetchInterval: ({ state }) => againMs(state.data, luck),
    refetchIntervalInBackground: true,
  });
  const adopt = (place: Place) =>
    client.setQueryData<Known>(queryKey, (known) => known && { ...known, place, placeDue: null });
  const refresh = () => {
    client.setQueryData<Known>(queryKey, (known) => known && { ...known, placeDue: 0 });
    // Includes the event, whose sale may have opened.
    return client.invalidateQueries();
  };
  useReturn(refresh);
  if (data === undefined) return error;
  return {
    room: data.room,
    place: data.place,
    facts: factsOf(data),
    isLost: error !== null || fetchStatus === 'paused',
    toLocal: (iso) => Date.parse(iso) + data.skewMs,
    async enter() {
      const { nonce } = makeOwnPart(eventId, data.room.seed_hash);
      adopt(await call(enterQueue, { ...ask, body: { nonce } }));
    },
    async goBack() {
      await call(takeQueueHold, ask);
      await refresh();
    },
    async goIn(code) {
      await call(takeQueuePass, { ...ask, body: code === undefined ? {} : { code } });
      await refresh();
    },
    adopt,
    refresh,
  };
}

/**
 * Fetches the room, which is cheap for the server, and the visitor's place only if it may have
 * changed.
 */
async function look(eventId: string, before: Known | undefined, luck: number): Promise<Known> {
  const room = await call(readQueue, { params: { eventId } });
  const now = Date.now();
  const skewMs = now - Date.parse(room.now);
  const dueOf = (place: Place | null) =>
    placeDueAt(room, place, {
      until: place?.until ? Date.parse(place.until) + skewMs : null,
      wasBefore: before?.room.phase === 'before',
      luck,
      now,
    });
  const seen =
    room.phase === 'open'
      ? withSighting(before?.seen ?? [], { at: now, serving: room.serving })
      : [];
  const toldOf = (place: Place | null) =>
    toldWait(before?.told ?? null, waitOf({ room, place, seen }), now);
  const due = before === undefined ? 0 : (before.placeDue ?? dueOf(before.place));
  if (before !== undefined && (due === null || due > now))
    return { room, place: before.place, placeDue: due, seen, skewMs, told: toldOf(before.place) };
  const place = await readPlace(eventId);
  return { room, place, placeDue: dueOf(place), seen, skewMs, told: toldOf(place) };
}

async function readPlace(eventId: string): Promise<Place | null> {
  try {
    return await call(readQueuePlace, { params: { eventId } });
  } catch (error) {
    if (error instanceof CallError && error.code === 'queue_place_unknown') return null;
    throw error;
  }
}

function waitOf({ room, place, seen }: Pick<Known, 'room' | 'place' | 'seen'>): Wait | null {
  const number = place?.number ?? null;
  return number === null ? null : waitBounds(aheadOf(room, number) + 1, room.per_minute, seen);
}

function factsOf({ room, place, seen, told }: Known): QueueFacts {
  const number = place?.number ?? null;
  const ahead = number === null ? null : aheadOf(room, number);
  return {
    phase: room.phase,
    stage: queueStageOf(room, place),
    number,
    ahead,
    wait: told?.wait ?? waitOf({ room, place, seen }),
    opensAt: room.opens_at,
    until: place?.until ?? null,
  };
}

/** A random pause, so that browsers do not ask in step. */
function againMs(known: Known | undefined, luck: number): number {
  if (known === undefined) return 5_000;
  const { room, placeDue } = known;
  const { stage, wait } = factsOf(known);
  const untilOpen =
    room.opens_at === null ? null : Date.parse(room.opens_at) - Date.parse(room.now);
  const roomMs = roomAgainMs(stage, { minutesLeft: wait?.from ?? null, untilOpen });
  const placeMs = placeDue === null ? roomMs : Math.max(500, placeDue - Date.now());
  return Math.min(roomMs * (0.9 + luck / 5), placeMs);
}

/** Another tab may have changed the place meanwhile. */
function useReturn(refresh: () => void) {
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') refresh();
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  });
}
