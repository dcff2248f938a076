/**
 * The migrations in their order; no others run. Each is loaded only where it runs, because the
 * schema of most starts is current.
 */
export const migrations = {
  '001-release': () => import('./001-release.ts'),
  '002-releases': () => import('./002-releases.ts'),
  '003-operated': () => import('./003-operated.ts'),
  '004-evenings': () => import('./004-evenings.ts'),
  '005-changed-tickets': () => import('./005-changed-tickets.ts'),
  '006-prices': () => import('./006-prices.ts'),
  '007-reckoned': () => import('./007-reckoned.ts'),
  '008-window': () => import('./008-window.ts'),
  '009-exchanges': () => import('./009-exchanges.ts'),
  '010-cancelled': () => import('./010-cancelled.ts'),
  '011-swap': () => import('./011-swap.ts'),
  '012-day': () => import('./012-day.ts'),
  '013-undo': () => import('./013-undo.ts'),
  '014-deposits': () => import('./014-deposits.ts'),
  '015-asks': () => import('./015-asks.ts'),
  '016-places': () => import('./016-places.ts'),
  '017-left-out': () => import('./017-left-out.ts'),
  '018-transfers': () => import('./018-transfers.ts'),
} as const;

/** The only migration of the trial versions before 1.0.0, whose tables changed under one name. */
export const trialMigration = '001-start';
