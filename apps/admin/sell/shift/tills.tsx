/** The tills, their printers with a test print, and how many tickets a user may give away. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeTills, printTest, readCounter, readPrinter } from '#server/contract/counter.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { PrinterState } from '#server/domain/counter/printing.ts';
import { formatCount, formatListDate } from '#apps/shared/format.ts';
import { keyOf, useEndpoint } from '#apps/shared/query.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Radios } from '#apps/admin/kit/form/choices.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { Loaded, tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { FailureNotice, Notice } from '#apps/admin/kit/page/notice.tsx';
import { Intro, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { troubleWords } from '#apps/admin/print/printed.tsx';
import {
  checkTills,
  faultsOfTillAnswer,
  usualPort,
  type Settings,
  type TillDraft,
  type TillFaults,
  type TillField,
} from './till-form.ts';
import styles from '#apps/admin/sell/sell.module.css';

export function TillsScreen() {
  const counter = useEndpoint(readCounter, {}, { refetchOnWindowFocus: false });
  return (
    <>
      <PageTitle title="Stampanti e casse" />
      <Intro>
        Una stampante di biglietti in rete riceve la stampa dal server; senza, stampa il browser.
        Casse e stampanti le cambia solo chi ha il ruolo «Amministratore».
      </Intro>
      <Loaded query={counter}>
        {({ settings }) => <TillsForm key={settings.version} settings={settings} />}
      </Loaded>
    </>
  );
}

function draftsOf({ tills }: Settings): TillDraft[] {
  return tills.map(({ printer, ...till }) => ({
    ...till,
    host: printer?.host ?? '',
    port: String(printer?.port ?? usualPort),
  }));
}

function bodyOf(settings: Settings, tills: readonly TillDraft[], gifts: string) {
  return {
    version: settings.version,
    deposit_end: settings.deposit_end,
    gifts_per_event: Number(gifts),
    tills: tills.map(({ id, name, layout, host, port }) => ({
      id,
      name: name.trim(),
      layout,
      printer: host.trim() === '' ? null : { host: host.trim(), port: Number(port) },
    })),
  };
}

/** The state of the form: typed values, faults, and saving all tills together. */
function useTills(settings: Settings) {
  const act = useAct();
  const client = useQueryClient();
  const [tills, setTills] = useState(() => draftsOf(settings));
  const [gifts, setGifts] = useState(String(settings.gifts_per_event));
  const [depositEnd, setDepositEnd] = useState(settings.deposit_end);
  const [faults, setFaults] = useState<TillFaults>({});
  const { busy, failure, submit } = useSubmit(async () => {
    const found = checkTills(tills, gifts);
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    try {
      await act(changeTills, {
        body: bodyOf({ ...settings, deposit_end: depositEnd }, tills, gifts),
      });
    } catch (error) {
      const refused = faultsOfTillAnswer(error, tills);
      if (refused === null) throw error;
      setFaults(refused);
      return;
    }
    await client.invalidateQueries({ queryKey: keyOf(readCounter, {}) });
  });
  const deposits = { depositEnd, setDepositEnd };
  return { tills, setTills, gifts, setGifts, ...deposits, faults, busy, failure, submit };
}

function TillsForm({ settings }: { settings: Settings }) {
  const form = useTills(settings);
  const { tills, setTills, gifts, setGifts, faults, busy, failure, submit } = form;
  const change = (at: number, part: Partial<TillDraft>) =>
    setTills(tills.map((till, nth) => (nth === at ? { ...till, ...part } : till)));
  return (
    <form className={formStyles.stack} noValidate onSubmit={submit}>
      {tills.map((till, at) => (
        <TillFields
          key={till.id}
          till={till}
          faults={(field) => faults[`${till.id}.${field}`] ?? null}
          saved={settings.tills.find(({ id }) => id === till.id)}
          onChange={(part) => change(at, part)}
          onRemove={
            tills.length > 1 ? () => setTills(tills.filter((_, nth) => nth !== at)) : undefined
          }
        />
      ))}
      <Button
        icon="plus"
        onClick={() => setTills([...tills, newTill(tills)])}
        label="Aggiungi una cassa"
      />
      <TextField
        label="Omaggi per persona ed evento"
        inputMode="numeric"
        maxLength={5}
        value={gifts}
        error={faults['gifts'] ?? null}
        onChange={(text) => setGifts(text.replace(/\D/g, ''))}
      />
      <Radios
        legend="Acconto di una prenotazione che finisce senza il resto"
        value={form.depositEnd}
        onChange={form.setDepositEnd}
        options={[
          ['returned', 'Si restituisce'],
          ['kept', 'Resta al teatro'],
        ]}
      />
      <FormActions busy={busy} failure={failure} submitLabel="Salva" />
    </form>
  );
}

function newTill(tills: readonly TillDraft[]): TillDraft {
  const taken = new Set(tills.map(({ id }) => id));
  let nth = tills.length + 1;
  while (taken.has(`cassa-${nth}`)) nth += 1;
  return {
    id: `cassa-${nth}`,
    name: `Cassa ${nth}`,
    layout: '80mm',
    host: '',
    port: String(usualPort),
  };
}

interface TillFieldsProps {
  till: TillDraft;
  faults: (field: TillField) => string | null;
  saved: Settings['tills'][number] | undefined;
  onChange: (part: Partial<TillDraft>) => void;
  onRemove: (() => void) | undefined;
}

function TillFields({ till, faults, saved, onChange, onRemove }: TillFieldsProps) {
  return (
    <Panel as="div" className={formStyles.stack}>
      <TextField
        label="Nome della cassa"
        value={till.name}
        maxLength={100}
        error={faults('name')}
        onChange={(name) => onChange({ name })}
      />
      <Radios
        legend="Carta"
        value={till.layout}
        onChange={(layout) => onChange({ layout })}
        options={[
          ['80mm', 'Rotolo da 80 mm'],
          ['a6', 'Cartoncino A6'],
        ]}
      />
      <TextField
        label="Stampante in rete"
        hint="Il suo numero IP, per esempio 192.168.1.50. Vuoto: stampa il browser."
        value={till.host}
        maxLength={45}
        error={faults('host')}
        onChange={(host) => onChange({ host })}
      />
      {till.host.trim() !== '' && (
        <TextField
          label="Porta"
          inputMode="numeric"
          maxLength={5}
          value={till.port}
          error={faults('port')}
          onChange={(port) => onChange({ port: port.replace(/\D/g, '') })}
        />
      )}
      {saved !== undefined && saved.printer !== null && <Printer till_id={saved.id} />}
      {onRemove && <Button look="quiet" onClick={onRemove} label="Togli questa cassa" />}
    </Panel>
  );
}

const stateWords: Record<PrinterState, string> = {
  ready: 'Pronta.',
  silent: 'Risponde, ma non sa dire se ha carta.',
  ...troubleWords,
};

function Printer({ till_id }: { till_id: string }) {
  const act = useAct();
  const params = { tillId: till_id };
  const printer = useEndpoint(readPrinter, { params }, { refetchInterval: 10_000 });
  const [failure, setFailure] = useState<string | null>(null);
  const tryOut = () =>
    act(printTest, { params }).then(
      () => void printer.refetch(),
      (error: unknown) => setFailure(tellFailure(error)),
    );
  if (printer.data === undefined) return <p>Chiedo alla stampante…</p>;
  const { state, waiting, last } = printer.data;
  return (
    <>
      <Notice
        as="output"
        aria-label="Stato della stampante"
        tone={state === 'ready' ? 'good' : 'warn'}
      >
        {stateWords[state]}
        {waiting.length > 0 &&
          ` ${formatCount(waiting.length, 'stampa aspetta', 'stampe aspettano')}.`}
      </Notice>
      <p className={textStyles.soft}>{lastWords(last)}</p>
      <FailureNotice text={failure} />
      <div className={styles.actions}>
        <Button icon="print" onClick={tryOut} label="Stampa di prova" />
        <Button icon="refresh" onClick={() => void printer.refetch()} label="Chiedi di nuovo" />
      </div>
    </>
  );
}

type Last = ReplyOf<typeof readPrinter>['last'];

function lastWords(last: Last): string {
  if (last === null || last.ended_at === null) return 'Non ha ancora stampato niente.';
  const what = last.number === null ? 'prova di stampa' : `ordine ${last.number}`;
  const when = formatListDate(last.ended_at);
  if (last.state === 'printed') return `Ultima stampa: ${what}, ${when}.`;
  const why = last.trouble === null ? '' : ` ${troubleWords[last.trouble]}`;
  return `Ultima stampa non riuscita: ${what}, ${when}.${why}`;
}
