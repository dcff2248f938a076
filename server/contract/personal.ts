/**
 * Personal data on the wire: all data about a person, a copy of it, its erasure, how long it is
 * kept, and the register of processing.
 */
import * as v from 'valibot';
import { blockers } from '#server/domain/person/erasure.ts';
import { heldKinds } from '#server/domain/person/held.ts';
import { retentionKinds, type RetentionKind } from '#server/domain/person/retention.ts';
import { endpoint, text, timeOut } from './endpoint.ts';

const time = v.nullable(timeOut);
const told = v.nullable(v.string());
/** The address is in a body, so that no log and no browser history has it. */
const email = text(254, 3);

/**
 * `held`: the kinds of data that exist; `erasure` says what an erasure does with each. `orders`:
 * those of a `holder` have another buyer. `blocker` null: the order can be erased now;
 * `erasable_at` null: the time is unknown. `mentions`: texts with a single word of the name,
 * which an erasure does not change. `backups`: how long copies remain.
 */
export const findPerson = endpoint('POST', '/api/admin/personal/find', {
  who: 'see_personal_data',
  limit: 'form',
  summary: 'What is held under a mail address, and what an erasure would do',
  body: v.object({ email }),
  reply: v.object({
    email: v.string(),
    held: v.array(
      v.object({
        kind: v.picklist(heldKinds),
        count: v.number(),
        label: v.string(),
        where: v.string(),
        erasure: v.string(),
      }),
    ),
    orders: v.array(
      v.object({
        order_id: v.string(),
        number: v.string(),
        event_title: v.string(),
        starts_at: timeOut,
        places: v.number(),
        total_cents: v.number(),
        role: v.picklist(['buyer', 'holder']),
        blocker: v.nullable(v.picklist(blockers)),
        erasable_at: time,
      }),
    ),
    mentions: v.array(v.object({ order_number: v.string(), where: v.string(), text: v.string() })),
    stripe: v.array(
      v.object({
        order_number: v.string(),
        payment_intent: told,
        charge_id: told,
        amount_cents: v.number(),
        paid_at: timeOut,
      }),
    ),
    backups: v.string(),
  }),
});

/** A zip with `dati.json` and `dati.html`. */
export const exportPerson = endpoint('POST', '/api/admin/personal/export', {
  who: 'see_personal_data',
  work: 'person_file',
  sensitive: true,
  limit: 'document',
  summary: 'Everything that is held under a mail address, as a file for its owner',
  body: v.object({ email }),
  file: 'application/zip',
});

/**
 * `typed`: the address, typed again. `waiting`: orders that cannot be erased yet and will be
 * erased automatically. `remembered` false: the list beside the backups could not be written.
 */
export const erasePerson = endpoint('POST', '/api/admin/personal/erase', {
  who: 'see_personal_data',
  sensitive: true,
  limit: 'form',
  refusals: ['erasure_not_confirmed'],
  summary: 'Erase what law lets us of somebody',
  body: v.object({ email, typed: text(254) }),
  reply: v.object({ erasure_id: v.string(), waiting: v.number(), remembered: v.boolean() }),
});

/**
 * The newest 50. `actor_name`: the person of the office. `waiting`: orders that must wait.
 * `done_at` null: some still wait.
 */
export const listErasures = endpoint('GET', '/api/admin/personal/erasures', {
  who: 'see_personal_data',
  summary: 'Erasures that were asked for, without a name',
  reply: v.object({
    items: v.array(
      v.object({
        erasure_id: v.string(),
        asked_at: timeOut,
        actor_name: v.string(),
        erased: v.number(),
        waiting: v.number(),
        done_at: time,
        repeats: v.boolean(),
      }),
    ),
    /** When this house was restored from a backup, and the backup's time; null: it was not. */
    restored: v.nullable(v.object({ copied_at: timeOut, restored_at: timeOut })),
  }),
});

const retention = v.object({
  version: v.number(),
  kinds: v.array(
    v.object({
      kind: v.picklist(retentionKinds),
      label: v.string(),
      unit: v.picklist(['months', 'days']),
      value: v.number(),
      usual: v.number(),
      least: v.number(),
      most: v.number(),
      from: v.string(),
      law: v.string(),
    }),
  ),
  fixed: v.array(v.object({ label: v.string(), time: v.string(), law: v.string() })),
});

export const readRetention = endpoint('GET', '/api/admin/personal/retention', {
  who: 'see_personal_data',
  summary: 'How long each kind of personal data is kept',
  reply: retention,
});

const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000));
const times = v.object(
  Object.fromEntries(retentionKinds.map((kind) => [kind, count])) as Record<
    RetentionKind,
    typeof count
  >,
);

/** `retention_wrong` names the `kinds` that are outside their bounds. */
export const writeRetention = endpoint('PUT', '/api/admin/personal/retention', {
  who: 'see_personal_data',
  refusals: ['retention_wrong', 'retention_changed'],
  summary: 'Change how long personal data is kept',
  body: v.object({
    version: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2 ** 31)),
    times,
  }),
  reply: retention,
});

/**
 * For printing: the controller, the purposes, the recipients, the retention and the safeguards.
 */
export const readRegister = endpoint('GET', '/api/admin/personal/register', {
  who: 'see_personal_data',
  summary: 'The register of processing',
  reply: v.object({
    drawn_up_at: timeOut,
    organiser: v.object({
      name: v.string(),
      address: told,
      vat_number: told,
      tax_code: told,
      rea: told,
      pec: told,
    }),
    support: v.object({ email: told, phone: told }),
    processings: v.array(
      v.object({
        purpose: v.string(),
        people: v.string(),
        data: v.string(),
        ground: v.string(),
        receivers: v.string(),
      }),
    ),
    receivers: v.array(v.object({ name: v.string(), words: v.string() })),
    retention: v.array(v.object({ label: v.string(), time: v.string(), law: v.string() })),
    backups: v.string(),
    consent: v.string(),
    measures: v.array(v.string()),
  }),
});
