/** Where the house of a test server lies, as a backup wants to know it. */
import type { HousePlace } from '#server/services/backup/house-files.ts';
import type { TestServer } from './server.ts';

export function placeOf({ house: { ctx } }: Pick<TestServer, 'house'>): HousePlace {
  return ctx.backups.house;
}
