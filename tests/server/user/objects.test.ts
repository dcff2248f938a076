/** Role × object: whatever ids an answer gives to a role, a program or a phone, they open only what that one may see. */
import { expect } from 'vitest';
import { objectTable, tryObjects } from '#tests/attack/objects.ts';
import { testWithSmtp } from '#tests/support/mail-day.ts';

testWithSmtp(
  'every id that anybody of the house, a phone or a program is given opens only what they may see',
  async (server) => {
    const rows = await tryObjects(server);
    console.log(objectTable(rows));
    expect(rows.map(({ caller, opened }) => [caller, opened])).toEqual(
      rows.map(({ caller }) => [caller, []]),
    );
    const of = (name: string) => rows.find(({ caller }) => caller === name)!;
    expect(of('admin').texts).toBeGreaterThan(200);
    expect(of('cassa').answers).toBeGreaterThan(10);
    expect(server.logged).toEqual([]);
  },
  { databases: ['sqlite'] },
);
