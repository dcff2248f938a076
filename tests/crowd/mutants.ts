/** Named faults that we planted in the waiting room: the crowd must find each of them. */
import type { Mutant } from '#tests/simulation/mutants.ts';

export const crowdMutants: readonly Mutant[] = [
  {
    name: 'drawn-by-arrival',
    file: 'server/domain/queue/draw.ts',
    find: '.toSorted((a, b) => compareTexts(a.rank, b.rank) || compareTexts(a.place_hash, b.place_hash))',
    replace: '',
  },
  {
    name: 'expired-pass-books',
    file: 'server/services/queue/passes.ts',
    find: 'if (row.done_at !== null || row.pass_until <= ctx.now()) throw',
    replace: 'if (row.done_at !== null) throw',
  },
  {
    name: 'lost-turn-goes-in',
    file: 'server/domain/queue/queue.ts',
    find: "return now < turnEnds({ called_at, minutes }) ? 'called' : 'expired';",
    replace: "return 'called';",
  },
  {
    name: 'place-books-again',
    file: 'server/services/queue/passes.ts',
    find: 'if (row.done_at !== null || row.pass_until <= ctx.now()) throw',
    replace: 'if (row.pass_until <= ctx.now()) throw',
  },
  {
    name: 'counter-skips-after-no-shows',
    file: 'server/services/queue/pace.ts',
    find: '  await callPlaces(trx, { event_id, after: serving, upTo: counter.serving }, now);',
    replace: `  const { expired } = await countCalled(trx, event_id, { now, minutes: room.minutes, since: 0 });
  await callPlaces(trx, { event_id, after: serving + (expired > 0 ? 1 : 0), upTo: counter.serving }, now);`,
  },
  {
    name: 'elapsed-time-counts-twice',
    file: 'db/queue/queues.ts',
    find: '  if (elapsedMs < everyMs && elapsedMs > -clockSlackMs) return undefined;',
    replace: '',
  },
  {
    name: 'elapsed-time-counts-twice',
    file: 'server/services/queue/pace.ts',
    find: 'await moveOn(ctx, trx, { room, now, elapsedMs: claim.elapsedMs });',
    replace: 'await moveOn(ctx, trx, { room, now, elapsedMs: 1_000 });',
  },
  {
    name: 'late-comers-by-hash',
    file: 'db/queue/queue-places.ts',
    find: `.whereNull('number')
    .orderBy(['arrival', 'place_hash'])`,
    replace: `.whereNull('number')
    .orderBy('place_hash')`,
  },
  {
    name: 'copies-have-carts-of-their-own',
    file: 'server/services/queue/passes.ts',
    find: 'if (known !== null && left > 0) {',
    replace: 'if (known !== null && left < 0) {',
  },
  {
    name: 'signature-not-looked-at',
    file: 'server/services/queue/token.ts',
    find: 'return timingSafeEqual(Buffer.from(shown), Buffer.from(right)) ? hashOfPlace(id) : null;',
    replace: 'return right === null ? null : hashOfPlace(id);',
  },
  {
    name: 'key-of-each-process',
    file: 'server/services/queue/token.ts',
    find: "settingOnce(ctx.db, 'queue_key', make)",
    replace: 'Promise.resolve(make())',
  },
  {
    name: 'reload-takes-a-place',
    file: 'server/services/queue/places.ts',
    find: 'if (known && !isPlaceOver(stateOf(ctx, room, known)))',
    replace: 'if (known && ctx === null)',
  },
  {
    name: 'neighbours-not-counted',
    file: 'server/http/limits.ts',
    find: "if (limit === 'queue') await consume(ctx, 'queue_neighbours', neighboursOf(ctx.ip));",
    replace: '',
  },
  {
    name: 'code-before-the-opening',
    file: 'server/services/queue/passes.ts',
    find: "if (phase === 'before') throw new Refusal('queue_not_yet');",
    replace: '',
  },
  {
    name: 'first-drawn-goes-last',
    file: 'server/services/queue/draw.ts',
    find: 'await numberPlaces(trx, drawOrder({ seed: unseal(room.seed), root, entrants }, hashText), 0);',
    replace: `const order = drawOrder({ seed: unseal(room.seed), root, entrants }, hashText);
  await numberPlaces(trx, [...order.slice(1), order[0]!], 0);`,
  },
];
