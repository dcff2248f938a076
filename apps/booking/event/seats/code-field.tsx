/**
 * "Hai un codice?" over the chart: one box for codes of reserved seats and of lower prices, what
 * the codes opened, and the conventions from which a buyer may choose.
 */
import { useRef, useState } from 'react';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Field, FieldSelect } from '#apps/shared/ui/field.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { formatCount } from '#apps/shared/format.ts';
import { addressPlaceId } from '#apps/booking/event/book.ts';
import { EmailField, mailFault } from '#apps/booking/shell/email-field.tsx';
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { lessWords, reasonWords, whyWords } from '#server/domain/price/rule-words.ts';
import { ruleOfSale } from '#server/domain/price/sale-rule.ts';
import { spellCode } from '#server/domain/seat/contingent.ts';
import type { OpenedCode, SeatSelection, SelectionState } from './selection.ts';
import { isAddressAsked, useCodes, type Codes } from './use-codes.ts';
import styles from './code-field.late.module.css';

interface CodeFieldProps {
  page: EventReply;
  selection: SeatSelection;
  state: SelectionState;
  onAsked: () => void;
}

export function CodeField(props: CodeFieldProps) {
  const { page, selection, state } = props;
  const codes = useCodes(props);
  const place = useRef<HTMLDivElement>(null);
  const { fault, mayOpen } = codes;
  return (
    <div ref={place} tabIndex={-1} className={`${styles.place} no-print`}>
      <Opened
        codes={state.codes}
        onClose={(code) => {
          // The pressed button disappears, so the focus moves here.
          place.current?.focus();
          codes.close(code);
        }}
      />
      {isAddressAsked(state) && <Address onChange={(address) => selection.open({ address })} />}
      {mayOpen && <TypedCode codes={codes} isFirst={state.codes.length === 0} />}
      {!mayOpen && fault !== null && (
        <p className="small soft" role="status">
          {fault}
        </p>
      )}
      {page.conventions.length > 0 && (
        <Conventions page={page} state={state} onChoose={codes.choose} />
      )}
    </div>
  );
}

interface OpenedProps {
  codes: readonly OpenedCode[];
  onClose: (code: string) => void;
}

function Opened({ codes, onClose }: OpenedProps) {
  return (
    <ul className={styles.chips} aria-label="I tuoi codici" aria-live="polite">
      {codes.map((one) => (
        <li key={one.code} className={styles.chip}>
          <Icon name="check" size={20} />
          <span>{sayCode(one)}</span>
          <button
            type="button"
            className={`ui-dialog-close ${styles.close}`}
            aria-label={`Togli il codice ${one.code}`}
            onClick={() => onClose(one.code)}
          >
            <Icon name="cross" />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** "UNDER26 · 10 % in meno"; the rule's name is left out where it is the code. */
function sayCode({ code, found: { name, rule, places } }: OpenedCode): string {
  if (rule === null) return `${name}: ${sayPlaces(places)}`;
  const words = spellCode(name) === code ? whyWords : reasonWords;
  return `${code} · ${words(ruleOfSale(rule), 1)}`;
}

function sayPlaces(count: number): string {
  return count === 0
    ? 'i posti riservati sono finiti, puoi scegliere tra gli altri.'
    : `il codice apre ${formatCount(count, 'posto riservato', 'posti riservati')}, oltre a quelli liberi.`;
}

/** Passes the address on only once it is valid. */
function Address({ onChange }: { onChange: (address: string) => void }) {
  const [text, setText] = useState('');
  const [isLeft, setLeft] = useState(false);
  return (
    <div id={addressPlaceId} className={styles.address} onBlur={() => setLeft(text !== '')}>
      <EmailField
        label="La tua e-mail"
        value={text}
        error={isLeft ? mailFault(text) : null}
        onChange={(typed) => {
          setText(typed);
          onChange(mailFault(typed) === null ? typed.trim() : '');
        }}
      />
      <p className="small soft">Serve per il codice, che vale un certo numero di volte a testa.</p>
    </div>
  );
}

function TypedCode({ codes: { open, fault }, isFirst }: { codes: Codes; isFirst: boolean }) {
  const [text, setText] = useState('');
  const [missing, setMissing] = useState(false);
  const [waiting, setWaiting] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  async function send() {
    setMissing(text.trim() === '');
    if (text.trim() === '') return form.current?.querySelector('input')?.focus();
    setWaiting(true);
    const isRight = await open(text);
    setWaiting(false);
    if (isRight) setText('');
    form.current?.querySelector('input')?.focus();
  }
  return (
    <details
      className={styles.ask}
      open={isOpen || fault !== null}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{isFirst ? 'Hai un codice?' : 'Hai un altro codice?'}</summary>
      <form
        ref={form}
        className={styles.line}
        noValidate
        onSubmit={(event) => event.preventDefault()}
      >
        <Field
          label="Scrivi il codice"
          value={text}
          error={missing ? 'Scrivi il codice.' : fault}
          required
          maxLength={60}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
        />
        <AsyncButton variant="primary" type="submit" busy={waiting} onClick={send}>
          Usa il codice
        </AsyncButton>
      </form>
    </details>
  );
}

interface ConventionsProps {
  page: EventReply;
  state: Pick<SelectionState, 'convention'>;
  onChoose: (conventionId: string) => void;
}

function Conventions({ page: { conventions }, state: { convention }, onChoose }: ConventionsProps) {
  return (
    <div className={styles.ask}>
      <Field label="Hai una convenzione?">
        <FieldSelect
          value={convention?.id ?? ''}
          onChange={(event) => onChoose(event.target.value)}
        >
          <option value="">Nessuna</option>
          {conventions.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name} · {lessWords(one)}
            </option>
          ))}
        </FieldSelect>
      </Field>
      <output className="small">
        {convention !== null && `Alla porta mostra la tessera: ${convention.name}.`}
      </output>
    </div>
  );
}
