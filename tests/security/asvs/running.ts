/** V11 to V17: keys, lines, configuration, personal data, code, logs. */
import { absent, all, built, proven, short, type Rows } from './row.ts';

const secrets = 'server/running/secrets.test.ts';
const log = 'server/running/log.test.ts';
const noWebRtc = absent('no WebRTC');

const cryptography: Rows = {
  '11.1.1': short(
    'how keys are changed is in .deploy, step by step; there is no policy after a standard',
  ),
  '11.1.2': proven(
    'security/asvs.test.ts',
    'whatever signs, seals or hashes with a key stands in the inventory',
  ),
  '11.2.1': built(
    'server/services/user/passwords.ts',
    'only Node’s own crypto, the browser’s, and age',
  ),
  '11.2.2': proven(secrets, 'with a new key before the old one all is sealed anew at the start'),
  '11.2.3': built('server/adapters', '256-bit keys, P-256, SHA-256'),
  ...all('11.3.1 11.3.2 11.3.3', proven(secrets, 'what is sealed is read with its key alone')),
  '11.4.1': built('server/adapters', 'SHA-256 and HMAC with it'),
  '11.4.2': built('server/services/user/passwords.ts', 'argon2id'),
  '11.4.3': proven('server/office/registry.test.ts', 'an entry changed, removed, put in or moved'),
  '11.4.4': built('server/domain/door/phone.ts', 'PBKDF2 for the PIN, age’s scrypt for a backup'),
  '11.5.1': proven('security/policy.test.ts', 'what opens something cannot be guessed'),
  '11.6.1': proven(
    'scanner/core-approval.test.ts',
    'the key stays on the phone as it is, is not extractable',
  ),
};

const lines: Rows = {
  ...all('12.1.1 12.1.2', proven('server/running/https.test.ts', 'by TLS 1.2 or 1.3')),
  '12.1.3': absent('no client certificates'),
  '12.2.1': proven(
    'server/running/config.test.ts',
    'real keys not beside a stand-in or on plain http',
  ),
  '12.2.2': built(
    '.deploy/METTERE-IN-SCENA.md',
    'the proxy has a public certificate made for it; at home phones trust the house’s own',
  ),
  '12.3.1': short(
    'PostgreSQL and mail are spoken to as their addresses say (sslmode, smtps); nobody is forced',
  ),
  '12.3.2': built('server/adapters', 'no client switches certificates off'),
  ...all(
    '12.3.3 12.3.4',
    built(
      'server/standins/start.ts',
      'what speaks plainly between parts of the house stays on this machine',
    ),
  ),
};

const configuration: Rows = {
  '13.1.1': built(
    'server/config.ts',
    'every outside service is a setting, and WEBHOOK_NETWORKS says whom others may name',
  ),
  '13.2.1': short(
    'keys of Stripe and seats.io do not change by themselves: their services have no others',
  ),
  '13.2.2': proven('deploy/files.proof.ts', 'leave a stranger little'),
  '13.2.3': proven('server/user/users.test.ts', 'the first link makes the first admin, once'),
  ...all(
    '13.2.4 13.2.5',
    proven('server/program/webhooks.test.ts', 'nothing behind our own walls is called'),
  ),
  '13.3.1': short(
    'keys come by environment or file, and SECRETS_KEY seals what lies in the database; no vault',
  ),
  '13.3.2': proven('server/running/guards.test.ts', 'the databases are their owner’s alone'),
  '13.4.1': proven('security/policy.test.ts', 'nothing of the program’s own files is served'),
  '13.4.2': built('server/main.ts', 'development is an argument of its own'),
  '13.4.3': proven('security/policy.test.ts', 'nothing of the program’s own files is served'),
  '13.4.4': proven('security/policy.test.ts', 'a method that nobody needs is refused'),
  '13.4.5': proven('server/office/metrics.test.ts', 'strangers get no figures'),
};

const data: Rows = {
  ...all(
    '14.1.1 14.1.2',
    proven('server/person/columns.test.ts', 'every telling column is erased, kept for a reason'),
  ),
  '14.2.1': built(
    'server/contract',
    'links of orders hold their id, 128 random bits, as they must; pages send no Referer; tokens come in headers or behind #',
  ),
  ...all(
    '14.2.2 14.3.2',
    proven('server/site/pages.test.ts', 'is kept by nobody, and is what the API says'),
  ),
  '14.2.3': proven('server/site/visits.test.ts', 'nothing foreign may be loaded'),
  '14.2.4': proven('server/person/keeping.test.ts', 'each kind goes after its own time'),
  '14.3.1': proven('scanner/door.test.ts', 'a revoked phone has no ticket left'),
  '14.3.3': proven('server/door/list.test.ts', 'a list knows nothing that a phone must not'),
};

const code: Rows = {
  '15.1.1': short(
    'weaknesses that are told get an answer in five working days; no time is promised for updates',
  ),
  '15.1.2': proven(
    'dependencies/dependencies.test.ts',
    'the bill of materials names every package',
  ),
  '15.1.3': built('server/http/limits.ts', 'what costs seconds has a class of its own'),
  '15.2.1': short('npm audit is for a machine that reaches the registry’s advisories'),
  '15.2.2': proven(
    'server/user/passwords.proof.ts',
    'six hundred logins at once keep no visitor waiting',
  ),
  '15.2.3': proven(
    'server/running/config.test.ts',
    'production does not start on pretended payments',
  ),
  '15.3.1': proven('server/running/fuzz.test.ts', 'no request of a stranger breaks the contract'),
  '15.3.2': proven('server/program/webhooks.test.ts', 'not by a redirect'),
  '15.3.3': proven('server/running/fuzz.test.ts', 'changes what it may not'),
  '15.3.4': proven('server/running/callers.test.ts', 'a number of proxies: so many from the right'),
  '15.3.5': built('tests/tsconfig.json', 'TypeScript, strict, and schemas at the wall'),
  '15.3.6': proven('server/running/fuzz.test.ts', 'no request of a stranger breaks the contract'),
  '15.3.7': built(
    'server/http/serve.ts',
    'query, body and path are parsed apart, each by its own schema',
  ),
};

const logging: Rows = {
  '16.1.1': built(
    'server/http/log.ts',
    'one line per answer to standard output; deeds are in the Registro',
  ),
  ...all('16.2.1 16.2.4', proven(log, 'every answer is found in the log by its id')),
  '16.2.2': built('server/http/log.ts', 'epoch milliseconds'),
  '16.2.3': built(
    'server/http/log.ts',
    'standard output only; monitoring where somebody has switched it on',
  ),
  '16.2.5': proven('server/running/bad-input.test.ts', 'nothing secret is logged'),
  '16.3.1': proven(
    'server/user/passwords.test.ts',
    'ten wrong passwords in a day are written down',
  ),
  ...all('16.3.2 16.3.3 16.3.4', proven(log, 'every answer is found in the log by its id')),
  '16.4.1': built('server/http/log.ts', 'every line is JSON'),
  '16.4.2': proven('server/user/rights.test.ts', 'every endpoint refuses whoever may not call it'),
  '16.4.3': short('lines go to standard output: where they are sent is for whoever runs the house'),
  '16.5.1': proven('server/running/refusals.test.ts', 'a refusal that the contract does not name'),
  '16.5.2': proven('crash/storm.test.ts', 'Stripe hangs: the others are served as always'),
  '16.5.3': proven('server/running/database-away.test.ts', 'nothing is half written'),
};

const webRtc: Rows = all('17.1.1 17.2.1 17.2.2 17.2.3 17.2.4 17.3.1 17.3.2', noWebRtc);

export const runningRows: Rows = {
  ...cryptography,
  ...lines,
  ...configuration,
  ...data,
  ...code,
  ...logging,
  ...webRtc,
};
