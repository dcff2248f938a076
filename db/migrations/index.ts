/** The migrations in their order; no others run. */
import * as release from './001-release.ts';
import * as releases from './002-releases.ts';
import * as operated from './003-operated.ts';
import * as evenings from './004-evenings.ts';
import * as changed from './005-changed-tickets.ts';
import * as prices from './006-prices.ts';
import * as reckoned from './007-reckoned.ts';
import * as window from './008-window.ts';
import * as exchanges from './009-exchanges.ts';
import * as cancelled from './010-cancelled.ts';
import * as swap from './011-swap.ts';
import * as day from './012-day.ts';

export const migrations = {
  '001-release': release,
  '002-releases': releases,
  '003-operated': operated,
  '004-evenings': evenings,
  '005-changed-tickets': changed,
  '006-prices': prices,
  '007-reckoned': reckoned,
  '008-window': window,
  '009-exchanges': exchanges,
  '010-cancelled': cancelled,
  '011-swap': swap,
  '012-day': day,
} as const;

/** The only migration of the trial versions before 1.0.0, whose tables changed under one name. */
export const trialMigration = '001-start';
