/** How a sale is paid: one key per way to pay, and a dialog with that way's fields. */
import { useState, type ReactNode } from 'react';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { formatEuro } from '#apps/shared/format.ts';
import { EuroField, readEuro } from '#apps/admin/kit/form/euro-field.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import type { Counter } from '#apps/admin/print/printed.tsx';
import { readDeposit } from './deposit-form.ts';
import { defaultEnd, readEnd } from './reservation-time.ts';
import { usualCash } from '#server/domain/counter/counter.ts';
import type { SaleBody } from './use-sale.ts';
import type { PayWay, Way } from './ways.ts';
import styles from './till.module.css';

interface PaymentsProps {
  ways: readonly PayWay[];
  disabled: boolean;
  onWay: (way: Way) => void;
  onClear: () => void;
}

export function Payments({ ways, disabled, onWay, onClear }: PaymentsProps) {
  return (
    <ul className={styles.ways} aria-label="Pagamento">
      {ways.map(({ way, key, label }) => (
        <li key={way}>
          <button
            type="button"
            className={isFirst(way) ? 'ui-button ui-button-primary' : 'ui-button'}
            disabled={disabled}
            onClick={() => onWay(way)}
          >
            <kbd>{key}</kbd> {label}
          </button>
        </li>
      ))}
      <li>
        <button type="button" className="ui-button" disabled={disabled} onClick={onClear}>
          <kbd>Esc</kbd> Svuota
        </button>
      </li>
    </ul>
  );
}

/** The way that F2 begins. */
function isFirst(way: Way): boolean {
  return way === 'cash' || way === 'even';
}

interface PayDialogProps {
  way: Way;
  /** Cents. */
  total: number;
  counter: Counter;
  startsAt: string;
  /** Shown below the sum. */
  about?: ReactNode;
  busy: boolean;
  onSell: (paid: Partial<SaleBody>) => void;
  onClose: () => void;
}

/** Typed texts by field. */
type Typed = Record<'first' | 'second' | 'third' | 'reason', string>;

function emptyForm(way: Way, startsAt: string): Typed {
  const first = way === 'later' ? defaultEnd(startsAt, Date.now()) : '';
  return { first, second: '', third: '', reason: '' };
}

export function PayDialog(props: PayDialogProps) {
  const { way, total, startsAt, about, busy, onSell, onClose } = props;
  const [typed, setTyped] = useState(() => emptyForm(way, startsAt));
  const [fault, setFault] = useState<string | null>(null);
  const { title, fields, submitLabel } = formOf(way, total, props.counter.shift !== null);
  const put = (name: keyof Typed) => (text: string) => {
    setFault(null);
    setTyped({ ...typed, [name]: text });
  };
  const send = () => {
    const paid = readForm(way, total, typed);
    if (typeof paid === 'string') return setFault(paid);
    setFault(null);
    onSell(paid);
  };
  return (
    <Modal title={title} onClose={onClose}>
      <form
        className={formStyles.stack}
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) send();
        }}
      >
        {way !== 'even' && (
          <p className={styles.due}>
            {way === 'gift' ? 'Valore' : 'Da pagare'} <strong>{formatEuro(total)}</strong>
          </p>
        )}
        {about}
        {fields.map(({ name, label, hint, isEuro, type }, at) => {
          const shared = { label, hint, value: typed[name], onChange: put(name) };
          return isEuro ? (
            <EuroField key={name} {...shared} isFirst={at === 0} />
          ) : (
            <TextField
              key={name}
              {...shared}
              type={type ?? 'text'}
              maxLength={200}
              data-autofocus={at === 0 || undefined}
            />
          );
        })}
        {way === 'cash' && <Change total={total} given={typed.first} onGiven={put('first')} />}
        <FormActions
          busy={busy}
          failure={fault}
          onCancel={onClose}
          submitLabel={submitLabel}
          isFirst={fields.length === 0}
        />
      </form>
    </Modal>
  );
}

interface BanknotesProps {
  total: number;
  onGiven: (text: string) => void;
}

/** What customers usually give for the sum, for a finger. */
function Banknotes({ total, onGiven }: BanknotesProps) {
  return (
    <ul className={styles.notes} aria-label="Banconote">
      {usualCash(total).map((cents) => (
        <li key={cents}>
          <button
            type="button"
            className="ui-button"
            onClick={() => onGiven((cents / 100).toFixed(2).replace('.', ','))}
          >
            {formatEuro(cents)}
          </button>
        </li>
      ))}
    </ul>
  );
}

interface ChangeProps extends BanknotesProps {
  given: string;
}

function Change({ total, given, onGiven }: ChangeProps) {
  const cents = readEuro(given);
  return (
    <>
      <Banknotes total={total} onGiven={onGiven} />
      <p role="status" className={styles.change}>
        {cents === null || cents < total ? '' : `Resto ${formatEuro(cents - total)}`}
      </p>
    </>
  );
}

interface FormField {
  name: keyof Typed;
  label: string;
  hint?: string;
  isEuro?: true;
  type?: string;
}

/** A reservation may be paid in part at once. */
const depositFields: readonly FormField[] = [
  { name: 'second', label: 'Acconto in contanti (facoltativo)', isEuro: true },
  { name: 'third', label: 'Acconto con il POS (facoltativo)', isEuro: true },
];

/** The fields of each way to pay. */
function formOf(way: Way, total: number, hasDrawer: boolean) {
  const sum = formatEuro(total);
  const forms: Record<Way, { title: string; submitLabel: string; fields: FormField[] }> = {
    cash: {
      title: 'Contanti',
      submitLabel: 'Incassa e stampa (Invio)',
      fields: [{ name: 'first', label: 'Ricevuti', hint: 'Vuoto: importo esatto.', isEuro: true }],
    },
    pos: {
      title: 'POS',
      submitLabel: `Pagato ${sum}: stampa (Invio)`,
      fields: [{ name: 'second', label: 'Numero dello scontrino POS (facoltativo)' }],
    },
    gift: {
      title: 'Omaggio',
      submitLabel: 'Dai in omaggio (Invio)',
      fields: [{ name: 'reason', label: 'Motivo', hint: 'Per esempio: stampa, compagnia.' }],
    },
    later: {
      title: 'Paga più tardi, o con bonifico',
      submitLabel: 'Prenota (Invio)',
      fields: [
        {
          name: 'first',
          label: 'Posti tenuti fino a',
          hint: 'Poi i posti tornano liberi da soli.',
          type: 'datetime-local',
        },
        ...(hasDrawer ? depositFields : []),
      ],
    },
    split: {
      title: 'Pagamento misto',
      submitLabel: 'Incassa e stampa (Invio)',
      fields: [
        { name: 'first', label: 'In contanti', hint: 'Il resto con il POS.', isEuro: true },
        { name: 'second', label: 'Numero dello scontrino POS (facoltativo)' },
      ],
    },
    even: { title: 'Cambio di data', submitLabel: 'Conferma il cambio (Invio)', fields: [] },
    by_hand: {
      title: 'Sconto o prezzo a mano',
      submitLabel: 'Incassa in contanti e stampa (Invio)',
      fields: [
        { name: 'first', label: 'Nuovo totale', isEuro: true },
        { name: 'reason', label: 'Motivo' },
      ],
    },
  };
  return forms[way];
}

/** The payment to send, or what is wrong with it. */
function readForm(way: Way, total: number, typed: Typed): Partial<SaleBody> | string {
  const cents = readEuro(typed.first);
  const receipt = typed.second.trim() === '' ? {} : { receipt: typed.second.trim() };
  const reason = typed.reason.trim();
  const needsReason = way === 'gift' || way === 'by_hand';
  if (needsReason && reason.length < 3) return 'Scrivi il motivo.';
  if (way === 'even') return { payments: [] };
  if (way === 'cash') return readCash(total, typed.first);
  if (way === 'pos') return { payments: [{ method: 'pos', amount_cents: total, ...receipt }] };
  if (way === 'gift') return { gift: { reason } };
  if (way === 'later') {
    const end = readEnd(typed.first);
    if (typeof end === 'string') return end;
    const deposit = readDeposit({ cash: typed.second, pos: typed.third }, total);
    if (typeof deposit === 'string') return deposit;
    return { reservation: { ...end, ...(deposit.length > 0 && { deposit }) } };
  }
  if (cents === null || cents < 1 || cents > total)
    return `Scrivi una somma fino a ${formatEuro(total)}.`;
  if (way === 'by_hand')
    return {
      by_hand: { total_cents: cents, reason },
      payments: [{ method: 'cash', amount_cents: cents }],
    };
  return {
    payments: [
      { method: 'cash', amount_cents: cents },
      { method: 'pos', amount_cents: total - cents, ...receipt },
    ],
  };
}

function readCash(total: number, text: string): Partial<SaleBody> | string {
  if (text.trim() === '') return { payments: [{ method: 'cash', amount_cents: total }] };
  const given_cents = readEuro(text);
  if (given_cents === null || given_cents < total)
    return `Servono almeno ${formatEuro(total)}: scrivi quanto hai ricevuto.`;
  return { payments: [{ method: 'cash', amount_cents: total, given_cents }] };
}
