/** The tills of the house, their printers, and how many tickets one person may give away; a printer can be asked and tried. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeTills, printTest, readCounter, readPrinter } from '#server/contract/counter.ts';
import type { PrinterState, TicketLayout } from '#server/domain/printing.ts';
import { formatCount } from '#apps/shared/format.ts';
import { keyOf, useEndpoint } from '#apps/shared/query.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Radios } from '#apps/admin/kit/form/choices.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { Loaded, tellFailure } from '#apps/admin/kit/loaded.tsx';
import { FailureNotice, Notice } from '#apps/admin/kit/notice.tsx';
import { Intro, PageTitle } from '#apps/admin/kit/page-title.tsx';
import { Panel } from '#apps/admin/kit/panel.tsx';
import { useAct } from '#apps/admin/shell/session.ts';
import { troubleWords } from './printed.tsx';
import type { Counter } from './shift-open.tsx';
import styles from './sell.module.css';

type Settings = Counter['settings'];

export function TillsScreen() {
  const counter = useEndpoint(readCounter, {}, { refetchOnWindowFocus: false });
  return (
    <>
      <PageTitle title="Stampanti e casse" />
      <Intro>
        Una stampante di biglietti in rete riceve la stampa dal server; senza, stampa il browser.
      </Intro>
      <Loaded query={counter}>
        {({ settings }) => <TillsForm key={settings.version} settings={settings} />}
      </Loaded>
    </>
  );
}

interface TillDraft {
  id: string;
  name: string;
  layout: TicketLayout;
  host: string;
  port: string;
}

/** The usual port of raw printing. */
const usualPort = 9100;

function draftsOf({ tills }: Settings): TillDraft[] {
  return tills.map(({ printer, ...till }) => ({
    ...till,
    host: printer?.host ?? '',
    port: String(printer?.port ?? usualPort),
  }));
}

function TillsForm({ settings }: { settings: Settings }) {
  const act = useAct();
  const client = useQueryClient();
  const [tills, setTills] = useState(() => draftsOf(settings));
  const [gifts, setGifts] = useState(String(settings.gifts_per_event));
  const { busy, failure, submit } = useSubmit(async () => {
    const body = {
      version: settings.version,
      gifts_per_event: Number(gifts),
      tills: tills.map(({ id, name, layout, host, port }) => ({
        id,
        name,
        layout,
        printer: host.trim() === '' ? null : { host: host.trim(), port: Number(port) },
      })),
    };
    await act(changeTills, { body });
    await client.invalidateQueries({ queryKey: keyOf(readCounter, {}) });
  });
  const change = (at: number, part: Partial<TillDraft>) =>
    setTills(tills.map((till, nth) => (nth === at ? { ...till, ...part } : till)));
  return (
    <form className={formStyles.stack} onSubmit={submit}>
      {tills.map((till, at) => (
        <TillFields
          key={till.id}
          till={till}
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
        onChange={(text) => setGifts(text.replace(/\D/g, ''))}
      />
      <FormActions
        busy={busy}
        failure={failure}
        submitLabel="Salva"
        disabled={gifts === '' || tills.some(({ name }) => name.trim() === '')}
      />
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
  saved: Settings['tills'][number] | undefined;
  onChange: (part: Partial<TillDraft>) => void;
  onRemove: (() => void) | undefined;
}

function TillFields({ till, saved, onChange, onRemove }: TillFieldsProps) {
  return (
    <Panel as="div" className={formStyles.stack}>
      <TextField
        label="Nome della cassa"
        value={till.name}
        maxLength={100}
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
        onChange={(host) => onChange({ host })}
      />
      {till.host.trim() !== '' && (
        <TextField
          label="Porta"
          inputMode="numeric"
          maxLength={5}
          value={till.port}
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
  const { state, waiting } = printer.data;
  return (
    <>
      <Notice as="output" tone={state === 'ready' ? 'good' : 'warn'}>
        {stateWords[state]}
        {waiting.length > 0 &&
          ` ${formatCount(waiting.length, 'stampa aspetta', 'stampe aspettano')}.`}
      </Notice>
      <FailureNotice text={failure} />
      <div className={styles.actions}>
        <Button icon="print" onClick={tryOut} label="Stampa di prova" />
        <Button icon="refresh" onClick={() => void printer.refetch()} label="Chiedi di nuovo" />
      </div>
    </>
  );
}
