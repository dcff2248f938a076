/** Apple Wallet: a ticket is a file, signed here with the owner's certificate. */
import type { PKPass } from 'passkit-generator';
import { formatLongDate, formatTime } from '#server/domain/time/dates.ts';
import { waysIn } from '#server/domain/door/gate.ts';
import { trialWords } from '#server/domain/door/trial.ts';
import type { WalletTicket } from '#server/domain/order/wallet.ts';
import { loadSharp } from './images.ts';

/** PEM texts: the pass type's certificate, its key, Apple's intermediate certificate (WWDR). */
export interface AppleWalletConfig {
  pass_type_id: string;
  team_id: string;
  certificate: string;
  key: string;
  passphrase: string | null;
  wwdr: string;
}

let icons: Promise<Record<string, Buffer>> | undefined;

/** The signed pass as a file. */
export async function makeApplePass(
  config: AppleWalletConfig,
  ticket: WalletTicket,
): Promise<Buffer> {
  // Loaded when first used, because it is large and most sites have no keys for it.
  const { PKPass } = await import('passkit-generator');
  const certificates = {
    wwdr: config.wwdr,
    signerCert: config.certificate,
    signerKey: config.key,
    ...(config.passphrase === null ? {} : { signerKeyPassphrase: config.passphrase }),
  };
  const pass = new PKPass(await (icons ??= drawIcons()), certificates, {
    passTypeIdentifier: config.pass_type_id,
    teamIdentifier: config.team_id,
    serialNumber: ticket.serial,
    organizationName: ticket.organiser,
    logoText: ticket.organiser,
    description: `Biglietto per ${ticket.event.title}`,
    groupingIdentifier: ticket.order_number,
    backgroundColor: ticket.colour === null ? 'rgb(23, 48, 95)' : rgbOf(ticket.colour),
    foregroundColor: 'rgb(255, 255, 255)',
    // On a house's own colour only white is certainly readable.
    labelColor: ticket.colour === null ? 'rgb(200, 212, 232)' : 'rgb(255, 255, 255)',
  });
  fillPass(pass, ticket);
  return pass.getAsBuffer();
}

function rgbOf(colour: string): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return `rgb(${parts.join(', ')})`;
}

function fillPass(pass: PKPass, ticket: WalletTicket): void {
  const { event } = ticket;
  pass.type = 'eventTicket';
  if (ticket.trial) pass.headerFields.push({ key: 'trial', label: 'PROVA', value: 'Non vale' });
  pass.primaryFields.push({ key: 'event', label: 'EVENTO', value: event.title });
  pass.secondaryFields.push(
    { key: 'date', label: 'QUANDO', value: formatLongDate(event.starts_at) },
    { key: 'venue', label: 'DOVE', value: event.venue_title },
  );
  pass.auxiliaryFields.push(
    ...fieldsOf([
      ['seat', 'POSTO', ticket.seat],
      ['gate', 'INGRESSO', waysIn(ticket).join(' · ') || null],
      ['type', 'BIGLIETTO', ticket.type_label],
    ]),
  );
  pass.backFields.push(
    ...fieldsOf([
      ['trial-words', 'Attenzione', ticket.trial ? trialWords : null],
      ['holder', 'Intestatario', ticket.holder],
      ['doors', 'Apertura porte', event.doors_at === null ? null : formatTime(event.doors_at)],
      ['address', 'Indirizzo', event.venue_address],
      ['order', 'Ordine n.', ticket.order_number],
      ['code', 'Codice', ticket.code_for_people],
      ['url', 'I tuoi biglietti', ticket.url],
    ]),
  );
  pass.setBarcodes({
    format: 'PKBarcodeFormatQR',
    message: ticket.code,
    messageEncoding: 'iso-8859-1',
    altText: ticket.code_for_people,
  });
  pass.setRelevantDate(new Date(event.starts_at));
}

/** Leaves out fields without a value. */
function fieldsOf(all: readonly (readonly [key: string, label: string, value: string | null])[]) {
  return all.flatMap(([key, label, value]) => (value === null ? [] : [{ key, label, value }]));
}

/**
 * Apple requires an icon: we draw a ticket from rectangles, because our picture library may not
 * load vector files (images.ts).
 */
async function drawIcons(): Promise<Record<string, Buffer>> {
  return {
    'icon.png': await drawIcon(1),
    'icon@2x.png': await drawIcon(2),
    'icon@3x.png': await drawIcon(3),
  };
}

async function drawIcon(scale: number): Promise<Buffer> {
  const box = (width: number, height: number, background: string) => ({
    create: { width: width * scale, height: height * scale, channels: 4 as const, background },
  });
  const at = (left: number, top: number, input: ReturnType<typeof box>) => ({
    input,
    left: left * scale,
    top: top * scale,
  });
  const [blue, white] = ['#17305f', '#ffffff'];
  const sharp = await loadSharp();
  return sharp(box(29, 29, blue))
    .composite([
      at(5, 9, box(19, 11, white)),
      at(5, 13, box(2, 3, blue)),
      at(22, 13, box(2, 3, blue)),
      at(17, 11, box(1, 7, blue)),
    ])
    .png()
    .toBuffer();
}
