/** The migrations in their order: one that is not named here does not exist. */
import * as start from './001-start.ts';
import * as money from './002-money.ts';
import * as site from './003-site.ts';
import * as forgetting from './004-forgetting.ts';
import * as door from './005-door.ts';
import * as links from './006-links.ts';
import * as handsets from './007-handsets.ts';

export const migrations = {
  '001-start': start,
  '002-money': money,
  '003-site': site,
  '004-forgetting': forgetting,
  '005-door': door,
  '006-links': links,
  '007-handsets': handsets,
} as const;
