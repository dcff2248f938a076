/** V6 to V10: who somebody is, sessions, what they may, tokens. */
import { absent, all, built, proven, short, type Rows } from './row.ts';

const passwords = 'server/user/passwords.test.ts';
const factors = 'server/user/factors.test.ts';
const users = 'server/user/users.test.ts';
const account = 'server/user/account.test.ts';
const people = 'server/user/people.test.ts';
const rights = 'server/user/rights.test.ts';
const noIdentityProvider = absent('nobody comes in through another identity provider');
const noOAuth = absent('neither client nor server of OAuth or OpenID Connect');

const authentication: Rows = {
  '6.1.1': built(
    'server/services/user/guesses.ts',
    'how often, how long, and why nobody can lock others out',
  ),
  '6.1.2': built(
    'server/adapters/password-strength.ts',
    'words of the house are given to the guesser',
  ),
  '6.1.3': built(
    'server/domain/RULES.md',
    'password, passkey, code of an app, recovery code: RULES U3',
  ),
  '6.2.1': proven(passwords, 'passwords that are guessed first are refused'),
  ...all('6.2.2 6.2.3', proven(account, 'a new password needs the old one')),
  '6.2.4': proven(passwords, 'passwords that are guessed first are refused'),
  '6.2.5': built(
    'server/services/user/passwords.ts',
    'only its length and how soon it is guessed count',
  ),
  ...all(
    '6.2.6 6.2.7',
    proven('admin/people.test.ts', 'chooses a password, sees only what the role may'),
  ),
  '6.2.8': built('server/services/user/passwords.ts', 'it is hashed as it came'),
  '6.2.9': built('server/contract/users.ts', 'up to 256 characters'),
  '6.2.10': absent('no password runs out'),
  '6.2.11': built(
    'server/adapters/password-strength.ts',
    'name, address and house count as guessed',
  ),
  '6.2.12': short('common passwords are known offline; no list of breached ones is asked'),
  '6.3.1': proven(users, 'the sixth guess at a password waits'),
  '6.3.2': proven(users, 'the first link makes the first admin, once'),
  '6.3.3': proven(factors, 'where it is required, seven days after the first login'),
  '6.3.4': proven(factors, 'what is no passkey of this house lets nobody in'),
  '6.4.1': proven(people, 'an invitation by link works once, for 72 hours'),
  '6.4.2': absent('no hints and no secret questions'),
  '6.4.3': proven(people, 'an admin hands over a link to a new password: once, within the hour'),
  '6.4.4': proven(factors, 'an admin helps whoever lost all'),
  '6.5.1': proven(factors, 'a code of the app is asked for after the password, and works once'),
  '6.5.2': short(
    'recovery codes have 80 bits and are kept as SHA-256: below 112 bits a slow hash is wanted',
  ),
  '6.5.3': built('server/services/user/factors.ts', 'made by the system’s generator'),
  '6.5.4': proven(factors, 'a recovery code opens once'),
  '6.5.5': built(
    'server/services/user/factors.ts',
    'a code of the app is good for its step and its neighbour, once',
  ),
  ...all('6.6.1 6.6.2 6.6.3', absent('nothing is proved by telephone, SMS or a code in a mail')),
  ...all('6.8.1 6.8.2 6.8.3 6.8.4', noIdentityProvider),
};

const sessions: Rows = {
  '7.1.1': built('server/services/user/sessions.ts', 'idle and absolute ends, in numbers'),
  '7.1.2': built(
    'server/services/user/sessions.ts',
    'as many as somebody has devices; each is listed and ended by itself',
  ),
  '7.1.3': noIdentityProvider,
  '7.2.1': proven(users, 'login, me, logout; a session ends when it is idle or old'),
  ...all(
    '7.2.2 7.2.3',
    built('server/services/user/sessions.ts', '256 random bits, kept as a hash'),
  ),
  '7.2.4': proven(users, 'login, me, logout; a session ends when it is idle or old'),
  ...all('7.3.1 7.3.2', proven(users, 'a session ends when it is idle or old')),
  '7.4.1': proven(users, 'login, me, logout'),
  '7.4.2': proven(people, 'suspended and removed people are out at once'),
  '7.4.3': proven(account, 'a new password needs the old one, and ends all other sessions'),
  '7.4.4': built('apps/admin/shell/layout.tsx', '“Esci” stands on every screen of the office'),
  '7.4.5': proven(people, 'suspended and removed people are out at once'),
  '7.5.1': proven(factors, 'sensitive acts ask again after ten minutes'),
  '7.5.2': proven(
    account,
    'sessions tell device and kind of address, and end one by one or everywhere',
  ),
  ...all('7.6.1 7.6.2', noIdentityProvider),
};

const authorization: Rows = {
  '8.1.1': built('server/domain/user/rights.ts', 'one table that server and screens ask'),
  '8.1.2': built('server/contract', 'each endpoint names the fields of its answer'),
  '8.2.1': proven(rights, 'every endpoint refuses whoever may not call it'),
  '8.2.2': proven('server/running/fuzz.test.ts', 'no request of a stranger breaks the contract'),
  '8.2.3': proven('server/door/list.test.ts', 'a list knows nothing that a phone must not'),
  '8.3.1': proven(rights, 'every endpoint refuses whoever may not call it'),
  '8.4.1': absent('one house to an installation'),
};

const tokens: Rows = {
  '9.1.1': proven('domain/ticket-code.test.ts', 'a single wrong character never passes'),
  '9.1.2': built('server/domain/door/ticket-code.ts', 'one algorithm, named by no token'),
  '9.1.3': proven('scanner/core-approval.test.ts', 'a stranger’s key, or after its time'),
  '9.2.1': proven('scanner/core-approval.test.ts', 'or after its time'),
  ...all(
    '9.2.2 9.2.3 9.2.4',
    proven('scanner/core-approval.test.ts', 'not for a later one, another ticket or event'),
  ),
  ...all('10.1.1 10.1.2 10.2.1 10.2.2 10.3.1 10.3.2 10.3.3 10.3.4', noOAuth),
  ...all('10.4.1 10.4.2 10.4.3 10.4.4 10.4.5 10.4.6 10.4.7 10.4.8 10.4.9 10.4.10 10.4.11', noOAuth),
  ...all('10.5.1 10.5.2 10.5.3 10.5.4 10.5.5 10.6.1 10.6.2 10.7.1 10.7.2 10.7.3', noOAuth),
};

export const peopleRows: Rows = { ...authentication, ...sessions, ...authorization, ...tokens };
