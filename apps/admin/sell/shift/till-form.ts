/** The typed values of the tills, and faults by field. */
import { CallError } from '#apps/shared/api.ts';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import type { TicketLayout } from '#server/domain/counter/printing.ts';
import type { Counter } from '#apps/admin/print/printed.tsx';

export type Settings = Counter['settings'];

export interface TillDraft {
  id: string;
  name: string;
  layout: TicketLayout;
  host: string;
  port: string;
}

/** The usual port of raw printing. */
export const usualPort = 9100;

export type TillField = 'name' | 'host' | 'port';
/** Italian sentences by `<till id>.<field>`, or `gifts`. */
export type TillFaults = Readonly<Record<string, string>>;

const words: Record<TillField, string> = {
  name: 'Dai un nome alla cassa.',
  host: 'Scrivi il numero IP della stampante, per esempio 192.168.1.50.',
  port: 'La porta è un numero da 1 a 65535; di solito 9100.',
};

export function checkTills(tills: readonly TillDraft[], gifts: string): TillFaults {
  const faults = tills.flatMap(({ id, name, host, port }) => {
    const prints = host.trim() !== '';
    const isPort = Number(port) >= 1 && Number(port) <= 65_535;
    return [
      ...(name.trim() === '' ? [[`${id}.name`, words.name]] : []),
      ...(prints && !/^[\da-f.:]+$/i.test(host.trim()) ? [[`${id}.host`, words.host]] : []),
      ...(prints && !isPort ? [[`${id}.port`, words.port]] : []),
    ];
  });
  if (gifts === '') faults.push(['gifts', 'Scrivi un numero, anche zero.']);
  return Object.fromEntries(faults) as TillFaults;
}

/** The server's refusals by field; null: not about a field. */
export function faultsOfTillAnswer(error: unknown, tills: readonly TillDraft[]): TillFaults | null {
  if (!(error instanceof CallError)) return null;
  const { code, detail } = error;
  if (code === 'printer_address_wrong') {
    const { host } = detail as { host: string };
    const till = tills.find((one) => one.host.trim() === host);
    return till === undefined ? null : { [`${till.id}.host`]: tellFailure(error) };
  }
  if (code !== 'bad_request') return null;
  const { fields = [] } = (detail ?? {}) as { fields?: string[] };
  const faults = fields.flatMap((path) => {
    if (path === 'gifts_per_event') return [['gifts', 'Il numero è troppo grande.']];
    const [, at, field] = /^tills\.(\d+)\.(?:printer\.)?(name|host|port)$/.exec(path) ?? [];
    const till = tills[Number(at)];
    return till === undefined ? [] : [[`${till.id}.${field}`, words[field as TillField]]];
  });
  return faults.length === 0 ? null : (Object.fromEntries(faults) as TillFaults);
}
