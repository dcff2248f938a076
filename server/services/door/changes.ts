/** A phone asks what changed: only for its own events, in the shape that it speaks. */
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { changesAsObjects } from './old-list.ts';
import { pageBytes, pageOf } from './list.ts';
import { doorMemory, isOver, type PhoneInCall } from './state.ts';

interface Ask {
  event_id: string;
  since?: string | undefined;
  limit?: number | undefined;
  wire?: string | undefined;
  form?: 'block' | undefined;
}

/** A page is kept for everybody who asks for the same: lengths that nobody else asks for would push the others out. The least is the contract's. */
const steps = [200, 500, 1_000, 2_000, 4_000, 10_000, 20_000, 50_000, 100_000];

function stepOf(limit: number): number {
  return steps.findLast((step) => step <= limit) ?? limit;
}

/** In columns, or as a block, pressed. @throws Refusal event_not_found, resync_required */
export async function doorPageFor(
  ctx: Ctx,
  { phone, events }: PhoneInCall,
  { event_id, since, limit, form }: Ask,
) {
  const state = events.has(event_id) ? await doorMemory(ctx).events.read(event_id) : null;
  if (state === null || isOver(state, ctx.now())) throw new Refusal('event_not_found');
  const page = await pageOf(ctx, state, {
    names: phone.role === 'supervisor',
    since,
    limit: limit === undefined ? undefined : stepOf(limit),
    form: since === undefined && limit === undefined ? form : undefined,
  });
  // What came in while a large list was made is told as more.
  const now = (await doorMemory(ctx).events.read(event_id)) ?? state;
  return {
    type: page.type,
    encoding: 'gzip' as const,
    content: pageBytes(
      ctx.now(),
      page,
      now.event.feed_epoch === state.event.feed_epoch ? now : state,
    ),
  };
}

/** As a list of objects. @throws Refusal event_not_found, resync_required, update_required for a wire that is not spoken here */
export async function changesFor(
  ctx: Ctx,
  { events }: PhoneInCall,
  { event_id, wire = '1', ...ask }: Ask,
) {
  if (wire !== '1') throw new Refusal('update_required');
  const state = events.has(event_id) ? await doorMemory(ctx).events.read(event_id) : null;
  if (state === null || isOver(state, ctx.now())) throw new Refusal('event_not_found');
  return changesAsObjects(ctx, event_id, ask);
}
