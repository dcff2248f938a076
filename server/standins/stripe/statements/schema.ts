/** The steps that make the tables of the Stripe stand-in; a later change is a further step. */
import type { Step } from '#server/standins/kit/steps.ts';

const INDEXED = ['payment_intent', 'product', 'charge', 'status', 'source'];

const objects = `
  CREATE TABLE stripe_objects (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    created INTEGER NOT NULL,
    body TEXT NOT NULL,
    private TEXT NOT NULL DEFAULT '{}'
  );
  CREATE INDEX stripe_objects_by_kind ON stripe_objects (kind, seq);
  ${INDEXED.map((path) => `CREATE INDEX stripe_objects_by_${path} ON stripe_objects (kind, body ->> '$.${path}', seq);`).join('\n')}
  CREATE INDEX stripe_objects_to_expire ON stripe_objects (kind, body ->> '$.status', body ->> '$.expires_at');
  CREATE INDEX stripe_objects_to_settle ON stripe_objects (kind, body ->> '$.balance_transaction', body ->> '$.status');
  CREATE INDEX stripe_objects_by_payout ON stripe_objects (private ->> '$.payout', seq) WHERE kind = 'balance_transaction';
  CREATE INDEX stripe_objects_keyless ON stripe_objects (created)
    WHERE kind = 'payment_method' AND private ->> '$.keyless' = 1 AND private ->> '$.used' = 0;
`;

const deliveries = `
  CREATE TABLE stripe_deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    first_at INTEGER,
    run_at INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
    last_error TEXT,
    taken_until INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX stripe_deliveries_due ON stripe_deliveries (run_at, id) WHERE state = 'pending';
  CREATE INDEX stripe_deliveries_by_event ON stripe_deliveries (event, state);
  CREATE INDEX stripe_deliveries_by_endpoint ON stripe_deliveries (endpoint, state);
`;

const idempotency = `
  CREATE TABLE stripe_idempotency (
    key TEXT PRIMARY KEY, method TEXT NOT NULL, path TEXT NOT NULL, params TEXT NOT NULL,
    status INTEGER NOT NULL, body TEXT NOT NULL, request_id TEXT NOT NULL, created_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX stripe_idempotency_by_age ON stripe_idempotency (created_at);
`;

const later = `
  CREATE TABLE stripe_later (
    id INTEGER PRIMARY KEY AUTOINCREMENT, run_at INTEGER NOT NULL, task TEXT NOT NULL, subject TEXT NOT NULL
  );
  CREATE INDEX stripe_later_due ON stripe_later (run_at, id);
`;

export const stripeSteps: readonly Step[] = [
  { name: 'stripe-001', sql: objects + deliveries + idempotency + later },
];
