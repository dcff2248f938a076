/** Prints the tickets of an evening: which ones, in which order, at which till. */
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { readCounter } from '#server/contract/counter.ts';
import { readEventPaper } from '#server/contract/paper.ts';
import { formatCount, formatShortDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Radios } from '#apps/admin/kit/form/choices.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { Empty, Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { BackLink, Intro, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { choosePaper, countTickets, type PaperChoice, type PaperOrder } from './paper-choice.ts';
import { PrintRoll } from './print-roll.tsx';
import { PrintSheets } from './print-sheets.tsx';
import type { Counter } from './printed.tsx';

export function PrintAllScreen() {
  const { eventId } = useParams() as { eventId: string };
  const counter = useEndpoint(readCounter, {}, { refetchOnWindowFocus: false });
  const paper = useEndpoint(
    readEventPaper,
    { params: { eventId } },
    { refetchOnWindowFocus: false },
  );
  return (
    <>
      <BackLink to={`/sell/event/${encodeURIComponent(eventId)}`}>Cassa</BackLink>
      <PageTitle title="Stampa i biglietti" />
      <Loaded query={counter}>
        {(desk) => (
          <Loaded query={paper}>
            {({ title, starts_at, items }) => (
              <>
                <Intro>
                  {title}, {formatShortDate(starts_at)}: {printedWords(items)}
                </Intro>
                {items.length === 0 ? (
                  <Empty icon="ticket" title="Per questa data non c’è ancora nessun biglietto." />
                ) : (
                  <PrintAll items={items} counter={desk} onEnd={() => void paper.refetch()} />
                )}
              </>
            )}
          </Loaded>
        )}
      </Loaded>
    </>
  );
}

function printedWords(items: readonly PaperOrder[]): string {
  const printed = items.reduce((sum, item) => sum + item.printed, 0);
  return `${printed} di ${formatCount(countTickets(items), 'biglietto', 'biglietti')} sono già su carta.`;
}

interface PrintAllProps {
  items: readonly PaperOrder[];
  counter: Counter;
  /** Called at the end, to fetch again what is printed. */
  onEnd: () => void;
}

function PrintAll({ items, counter, onEnd }: PrintAllProps) {
  const { tills } = counter.settings;
  const [till_id, setTill] = useState(counter.shift?.till_id);
  const [choice, setChoice] = useState<PaperChoice>({ which: 'new', order: 'number', from: '' });
  const [printing, setPrinting] = useState<readonly PaperOrder[] | null>(null);
  const chosen = choosePaper(items, choice);
  const till = requireValue(tills.find(({ id }) => id === till_id) ?? tills[0], 'till');
  const end = () => {
    setPrinting(null);
    onEnd();
  };
  if (printing !== null)
    return till.printer === null ? (
      <PrintSheets orders={printing} layout={till.layout} onEnd={end} />
    ) : (
      <PrintRoll orders={printing} till_id={till.id} onEnd={end} />
    );
  return (
    <Panel className={formStyles.stack}>
      <ChoiceFields choice={choice} onChange={setChoice} />
      {tills.length > 1 && (
        <Radios
          legend="Dove"
          value={till.id}
          onChange={setTill}
          options={tills.map(({ id, name, printer }) => [
            id,
            name,
            printer === null ? 'con la stampante del browser' : 'con la sua stampante di rete',
          ])}
        />
      )}
      <p aria-live="polite">
        {chosen.length === 0
          ? 'Con questa scelta non c’è niente da stampare.'
          : `${formatCount(chosen.length, 'ordine', 'ordini')}, il primo è ${chosen[0]!.number}.`}
      </p>
      <Button
        look="primary"
        icon="print"
        disabled={chosen.length === 0}
        onClick={() => setPrinting(chosen)}
        label={`Stampa ${formatCount(countTickets(chosen), 'biglietto', 'biglietti')}`}
      />
    </Panel>
  );
}

interface ChoiceFieldsProps {
  choice: PaperChoice;
  onChange: (choice: PaperChoice) => void;
}

function ChoiceFields({ choice, onChange }: ChoiceFieldsProps) {
  const isByNumber = choice.order === 'number';
  return (
    <>
      <Radios
        legend="Quali biglietti"
        value={choice.which}
        onChange={(which) => onChange({ ...choice, which })}
        options={[
          ['new', 'Solo quelli non ancora stampati'],
          ['all', 'Tutti', 'anche quelli già su carta, con lo stesso codice'],
        ]}
      />
      <Radios
        legend="In quale ordine"
        value={choice.order}
        onChange={(order) => onChange({ ...choice, order, from: '' })}
        options={[
          ['number', 'Per numero d’ordine'],
          ['name', 'Per cognome'],
        ]}
      />
      <TextField
        label={isByNumber ? 'Dal numero' : 'Dal cognome'}
        value={choice.from}
        maxLength={100}
        onChange={(from) => onChange({ ...choice, from })}
        hint="Vuoto: dal primo. Serve se la carta si è fermata a metà."
      />
    </>
  );
}
