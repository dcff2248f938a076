/** Names of signs that HTML knows stay text on all that the server draws: it has the elements and attributes that it has with a plain name. */
import sanitizeHtml from 'sanitize-html';
import { expect, test } from 'vitest';
import { listMails, readMail } from '#server/contract/mails.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { ask, callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';
import { setMaintenance } from '#server/services/site/maintenance.ts';

const plain = 'Un nome';
const nasty = `A" onload="x" 'b' &amp; <img src=x> </title></script>--> $& $\``;

const pages = [
  '/',
  `/event/${demoEvent}`,
  `/event/${demoEvent}/sorteggio`,
  '/event/nessuno',
  '/nessuna',
  '/i-miei-biglietti',
  '/condizioni',
  '/privacy',
  '/chiave-del-libro',
  '/verifica.html',
  '/api/v1/',
  '/sitemap.xml',
  '/api/orders/nessuno/tickets.pdf',
];

/** All that a house draws in which everything bears this name, by where it is. */
async function drawAll(name: string): Promise<Map<string, string>> {
  await using server = await startServer({ env: { ORGANISER_NAME: name } });
  const { ctx } = server.house;
  await ctx.db('shows').update({ title: name, venue_title: name });
  await ctx.db('events').update({ title: name, venue_title: name });
  const cookie = await makeAdmin(server);
  const { order_id, link_key } = await makePaidOrder(server, { name });
  await server.runDue();
  const drawn = new Map<string, string>();
  const read = async (path: string, as: string) => {
    const answer = await fetch(`${server.url}${path}`, { headers: { accept: 'text/html' } });
    drawn.set(as, await answer.text());
  };
  for (const path of pages) await read(path, path);
  await read(`/orders/${link_key}`, 'order');
  await read('/calendario.ics', 'calendar');
  await read(`/api/orders/${link_key}/calendar.ics`, 'calendar of an order');
  const { items } = await callOk(server, listMails, { query: { order_id } }, cookie);
  for (const { mail_id, kind } of items) {
    const mail = await callOk(server, readMail, { params: { mailId: mail_id } }, cookie);
    drawn.set(`mail ${kind}`, mail.html!);
  }
  await setMaintenance(ctx, true, 'system');
  await read('/', 'maintenance');
  expect((await ask(server, 'GET', '/')).status).toBe(503);
  expect(server.logged).toEqual([]);
  return drawn;
}

/** Each element with the names of its attributes, as a parser sees them. */
function shapeOf(html: string): string[] {
  const shape: string[] = [];
  sanitizeHtml(html, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    onOpenTag: (tag, attributes) => shape.push([tag, ...Object.keys(attributes)].join(' ')),
  });
  return shape;
}

test('a name of quotes, angles and ampersands changes no element and no attribute of what the server draws', async () => {
  const [tame, wild] = [await drawAll(plain), await drawAll(nasty)];
  expect([...wild.keys()]).toEqual([...tame.keys()]);
  for (const [where, html] of wild)
    if (!where.startsWith('calendar'))
      expect([where, shapeOf(html)]).toEqual([where, shapeOf(tame.get(where)!)]);
  const named = [...wild].filter(([, html]) => html.includes('onload')).map(([where]) => where);
  expect(named).toEqual(expect.arrayContaining(['/', 'order', 'maintenance', '/chiave-del-libro']));
  const draw = wild.get(`/event/${demoEvent}/sorteggio`)!;
  expect(draw).toContain('data-title="A&quot; onload=&quot;x&quot;');
  // RFC 5545 §3.3.11: what would end a text is written with a backslash, and no line is new.
  const lines = (text: string) => text.replace(/\r\n[ \t]/g, '').split('\r\n').length;
  for (const where of ['calendar', 'calendar of an order'])
    expect([where, lines(wild.get(where)!)]).toEqual([where, lines(tame.get(where)!)]);
});
