/** The keys for Google Wallet and Apple Wallet. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AppleWalletConfig } from '#server/adapters/wallet-apple.ts';
import type { GoogleWalletConfig } from '#server/adapters/wallet-google.ts';
import type { Env } from './env.ts';

/**
 * GOOGLE_WALLET_ISSUER_ID: the account's number at pay.google.com. GOOGLE_WALLET_KEY_FILE: the
 * JSON file of its service account, as Google provides it.
 */
export function readGoogleWallet(env: Env, faults: string[]): GoogleWalletConfig | null {
  const [issuer_id, file] = [
    env['GOOGLE_WALLET_ISSUER_ID'] ?? '',
    env['GOOGLE_WALLET_KEY_FILE'] ?? '',
  ];
  if (!issuer_id && !file) return null;
  if (!issuer_id || !file)
    faults.push('GOOGLE_WALLET_ISSUER_ID e GOOGLE_WALLET_KEY_FILE vanno indicate insieme.');
  if (issuer_id && !/^\d{5,30}$/.test(issuer_id))
    faults.push('GOOGLE_WALLET_ISSUER_ID deve essere il numero dell’emittente, solo cifre.');
  if (!file) return null;
  try {
    const { client_email, private_key } = JSON.parse(readFileSync(file, 'utf8')) as {
      client_email: unknown;
      private_key: unknown;
    };
    if (
      typeof client_email !== 'string' ||
      typeof private_key !== 'string' ||
      createPrivateKey(private_key).asymmetricKeyType !== 'rsa'
    )
      throw new Error('no RSA key');
    return { issuer_id, client_email, private_key };
  } catch {
    faults.push(
      `GOOGLE_WALLET_KEY_FILE deve essere il file JSON di un account di servizio di Google, con la sua chiave; «${file}» non lo è.`,
    );
    return null;
  }
}

const appleNames = [
  'APPLE_PASS_TYPE_ID',
  'APPLE_TEAM_ID',
  'APPLE_PASS_CERT_FILE',
  'APPLE_PASS_KEY_FILE',
  'APPLE_WWDR_FILE',
] as const;

/**
 * PEM files: the pass type's certificate, its key (with APPLE_PASS_KEY_PASSPHRASE if the key has
 * one), and Apple's intermediate certificate (WWDR G4).
 */
export function readAppleWallet(env: Env, faults: string[]): AppleWalletConfig | null {
  const [pass_type_id = '', team_id = '', ...files] = appleNames.map((name) => env[name] ?? '');
  if (![pass_type_id, team_id, ...files].some(Boolean)) return null;
  if (![pass_type_id, team_id, ...files].every(Boolean))
    faults.push(`${appleNames.join(', ')} vanno indicate insieme.`);
  if (pass_type_id && !/^pass\.[\w.-]{1,100}$/.test(pass_type_id))
    faults.push('APPLE_PASS_TYPE_ID deve essere come pass.it.teatro.biglietti.');
  if (team_id && !/^[A-Z0-9]{10}$/.test(team_id))
    faults.push('APPLE_TEAM_ID ha dieci lettere maiuscole e cifre.');
  const passphrase = env['APPLE_PASS_KEY_PASSPHRASE'] || null;
  if (!files.every(Boolean)) return null;
  try {
    const [certificate = '', key = '', wwdr = ''] = files.map((file) => readFileSync(file, 'utf8'));
    const [signer] = [certificate, wwdr].map((pem) => new X509Certificate(pem));
    const privateKey = createPrivateKey({ key, ...(passphrase === null ? {} : { passphrase }) });
    if (!signer?.checkPrivateKey(privateKey)) throw new Error('the key is another one');
    return { pass_type_id, team_id, certificate, key, passphrase, wwdr };
  } catch (error) {
    faults.push(
      `APPLE_PASS_CERT_FILE, APPLE_PASS_KEY_FILE e APPLE_WWDR_FILE devono essere file PEM che vanno insieme: ${(error as Error).message}.`,
    );
    return null;
  }
}
