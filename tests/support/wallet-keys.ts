/** Test keys and certificates for tickets in wallets, and the settings that name them. */
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const keys = generateKeyPairSync('rsa', { modulusLength: 2_048 });
export const { publicKey } = keys;
export const issuer = '3388000000012345678';
export const folder = mkdtempSync(join(tmpdir(), 'wallet-'));
const keyFile = join(folder, 'account.json');
writeFileSync(
  keyFile,
  JSON.stringify({
    type: 'service_account',
    client_email: 'biglietti@progetto.iam.gserviceaccount.com',
    private_key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }),
  }),
);
export const walletEnv = { GOOGLE_WALLET_ISSUER_ID: issuer, GOOGLE_WALLET_KEY_FILE: keyFile };

/** Self-made certificates, which sign like Apple's. */
function makeCertificate(name: string): { cert: string; key: string } {
  const files = { cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) };
  const certificate = `-x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${name}/OU=ABCDE12345`;
  const asked = `req ${certificate} -keyout ${files.key} -out ${files.cert}`;
  execFileSync('openssl', asked.split(' '), { stdio: 'ignore' });
  return files;
}
export const [signer, wwdr] = [
  makeCertificate('pass.it.teatro.biglietti'),
  makeCertificate('wwdr'),
];
export const appleEnv = {
  APPLE_PASS_TYPE_ID: 'pass.it.teatro.biglietti',
  APPLE_TEAM_ID: 'ABCDE12345',
  APPLE_PASS_CERT_FILE: signer.cert,
  APPLE_PASS_KEY_FILE: signer.key,
  APPLE_WWDR_FILE: wwdr.cert,
};
