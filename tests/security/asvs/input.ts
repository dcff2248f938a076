/** V1 to V5: what comes in and what is made of it, pages and browsers, the API, files. */
import { absent, all, built, proven, short, type Rows } from './row.ts';

const badInput = 'server/running/bad-input.test.ts';
const fuzz = proven('server/running/fuzz.test.ts', 'no request of a stranger breaks the contract');
const markup = proven('server/site/pages.test.ts', 'nothing of it becomes script or markup');
const images = 'server/event/images.test.ts';
const noWebSocket = absent('live updates are server-sent events: there is no WebSocket');

const encoding: Rows = {
  '1.1.1': proven(badInput, 'strange names in paths and queries are clear refusals'),
  '1.1.2': markup,
  '1.2.1': markup,
  '1.2.2': proven('contract.test.ts', 'an address encodes its parameters'),
  '1.2.3': markup,
  '1.2.4': proven('server/office/search.test.ts', 'signs of SQL are only signs'),
  '1.2.5': built(
    'server/adapters',
    'the server starts no shell and hands nobody’s text to a program',
  ),
  ...all('1.2.6 1.2.7 1.2.8', absent('no LDAP, no XPath, no LaTeX')),
  '1.2.9': built('server/domain/text/search.ts', 'no expression is made of what somebody typed'),
  '1.3.1': built('server/adapters/rich-text.ts', 'sanitize-html lets a short list of tags through'),
  '1.3.2': proven('security/policy.test.ts', 'no page may run a text as script'),
  '1.3.3': proven(badInput, 'hears field by field, in Italian, what is wrong'),
  '1.3.4': proven(images, 'what is no picture, moves, or would fill the memory is refused'),
  '1.3.5': proven('server/site/site.test.ts', 'is shown as text'),
  '1.3.6': proven('server/program/webhooks.test.ts', 'nothing behind our own walls is called'),
  '1.3.7': built('server/domain/mail/mail-body.ts', 'mails and pages are functions, no templates'),
  ...all('1.3.8 1.3.9 1.3.10', absent('no JNDI, no memcache, no format strings of others')),
  '1.3.11': proven('adapters/mail.test.ts', 'nothing that a person wrote becomes a header'),
  ...all('1.4.1 1.4.3', absent('JavaScript looks after its memory itself')),
  '1.4.2': fuzz,
  '1.5.1': absent('no XML is read'),
  '1.5.2': proven(badInput, 'broken JSON, wrong content types'),
};

const validation: Rows = {
  '2.1.1': proven(badInput, 'the OpenAPI document names every endpoint'),
  '2.1.2': built('server/domain/RULES.md', 'which values go together is said rule by rule'),
  '2.1.3': built(
    'server/http/limits.ts',
    'limits per address; those of a sale are in RULES S3 and S6',
  ),
  '2.2.1': fuzz,
  '2.2.2': proven(badInput, 'a form that is sent straight to the server'),
  '2.2.3': proven(
    'server/booking/booking.test.ts',
    'what may not be booked is refused with a reason',
  ),
  '2.3.1': proven('server/payment/payments.test.ts', 'cancelling a paid order changes nothing'),
  '2.3.2': proven(
    'server/booking/address-limit.test.ts',
    'an order beyond the limit of its address',
  ),
  '2.3.3': proven('server/running/no-room.test.ts', 'with a full disk nothing is half done'),
  '2.3.4': proven(
    'server/booking/booking.test.ts',
    'two wishes with one token at once: one is booked',
  ),
  '2.4.1': proven('server/running/guards.test.ts', 'count against a limit; life does not'),
};

const browsers: Rows = {
  '3.2.1': proven('security/policy.test.ts', 'every answer says what it is'),
  '3.2.2': markup,
  ...all('3.3.1 3.3.3 3.3.4', proven('security/policy.test.ts', 'cookies are this host’s alone')),
  '3.3.2': proven('server/user/users.test.ts', 'another site’s page cannot use the cookie'),
  '3.4.1': proven('security/policy.test.ts', 'over https a browser is told to come back by https'),
  '3.4.2': proven('security/policy.test.ts', 'no other site’s page may read an answer'),
  '3.4.3': proven('security/policy.test.ts', 'no page may run a text as script'),
  ...all('3.4.4 3.4.5 3.4.6', proven('security/policy.test.ts', 'every answer says what it is')),
  ...all(
    '3.5.1 3.5.2 3.5.3',
    proven('server/user/users.test.ts', 'another site’s page cannot use the cookie'),
  ),
  '3.5.4': short(
    'site, office and scanner share one host: one certificate and one name for a house; the office’s cookie is HttpOnly and its calls are of its own origin',
  ),
  '3.5.5': absent(
    'no page of ours listens to messages of other origins; the vendor’s chart does so itself',
  ),
  '3.7.1': absent('no plugins'),
  '3.7.2': built(
    'server/adapters',
    'a visitor is led away to Stripe’s checkout only, at the address of Stripe’s own answer',
  ),
};

const api: Rows = {
  '4.1.1': fuzz,
  '4.1.2': short(
    'plain http is redirected by the proxy or not at all; which, is for whoever runs the house',
  ),
  '4.1.3': proven(
    'server/running/callers.test.ts',
    'who claims to be this machine is limited like everybody',
  ),
  '4.2.1': proven(badInput, 'whatever comes over the raw line, the process lives'),
  ...all('4.3.1 4.3.2', absent('no GraphQL')),
  ...all('4.4.1 4.4.2 4.4.3 4.4.4', noWebSocket),
};

const files: Rows = {
  '5.1.1': built(
    'server/domain/event/image.ts',
    'types and sizes of pictures; tables have theirs in the contract',
  ),
  '5.2.1': proven(images, 'would fill the memory is refused, and the server goes on'),
  '5.2.2': proven(images, 'a photograph becomes files in every size and format'),
  '5.2.3': absent('nothing packed is taken in over the line'),
  '5.3.1': proven(images, 'a photograph becomes files in every size and format'),
  '5.3.2': built('db/event/images.ts', 'pictures are kept under names of our own'),
  '5.4.1': built('server/http/serve.ts', 'every file has a name of ours in Content-Disposition'),
  '5.4.2': built('server/http/serve.ts', 'in ASCII and in UTF-8, as RFC 6266 has it'),
  '5.4.3': absent(
    'no file of a stranger is handed on as it came: pictures are made anew, tables are read',
  ),
};

export const inputRows: Rows = { ...encoding, ...validation, ...browsers, ...api, ...files };
