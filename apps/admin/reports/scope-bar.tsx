/** The controls for a report's scope and its comparison. */
import { useState } from 'react';
import { dayText, romeDay, seasonOf } from '#server/domain/time/rome-clock.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Segments } from '#apps/admin/kit/form/choices.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { Choice } from '#apps/admin/kit/list/filters.tsx';
import { ChooseEvent, ChooseShow } from './choose-dialog.tsx';
import type { ReportScope, ScopeAsk, ScopeKind } from './scope.ts';
import styles from './report.module.css';

interface ScopeBarProps {
  scope: ReportScope;
  /** The comparison in words; null: none, or unknown yet. */
  against: string | null;
}

const kinds: readonly (readonly [ScopeKind, string])[] = [
  ['season', 'Stagione'],
  ['period', 'Periodo'],
  ['show', 'Spettacolo'],
  ['event', 'Evento'],
];

type Asking = 'event' | 'show' | 'against' | null;

export function ScopeBar({ scope, against }: ScopeBarProps) {
  const { kind, ask, choose, compare } = scope;
  const [asking, setAsking] = useState<Asking>(null);
  const close = () => setAsking(null);
  const take = (next: ScopeAsk) => {
    close();
    choose(next);
  };

  function change(next: ScopeKind) {
    if (next === 'season') choose({});
    else if (next === 'period') choose(lastDays(30));
    else setAsking(next);
  }
  return (
    <div className={styles.scope}>
      <Segments legend="Rapporto di" value={kind} options={kinds} onChange={change} />
      {kind === 'season' && <Season year={ask.season} onChange={(season) => choose({ season })} />}
      {kind === 'period' && <Period ask={ask} onChange={choose} />}
      {kind === 'event' && (
        <Against ask={ask} name={against} onChange={compare} onOther={() => setAsking('against')} />
      )}
      {asking === 'event' && (
        <ChooseEvent
          title="Rapporto di un evento"
          onChoose={(event_id) => take({ event_id })}
          onClose={close}
        />
      )}
      {asking === 'show' && (
        <ChooseShow
          title="Rapporto di uno spettacolo"
          onChoose={(show_id) => take({ show_id })}
          onClose={close}
        />
      )}
      {asking === 'against' && (
        <ChooseEvent
          title="Confronta con un altro evento"
          onChoose={(id) => {
            close();
            compare(id);
          }}
          onClose={close}
        />
      )}
    </div>
  );
}

const today = () => romeDay(Date.now());

function lastDays(count: number): { from: string; to: string } {
  return { from: dayText(today() - count + 1), to: dayText(today()) };
}

const seasonsBack = 8;

function Season({
  year,
  onChange,
}: {
  year: string | undefined;
  onChange: (year: string) => void;
}) {
  const now = seasonOf(today());
  const years = Array.from({ length: seasonsBack + 2 }, (_, nth) => now + 1 - nth);
  return (
    <Choice
      label="Stagione"
      value={year ?? String(now)}
      options={years.map((first) => [
        String(first),
        `Stagione ${first}/${String(first + 1).slice(2)}`,
      ])}
      onChange={onChange}
    />
  );
}

interface PeriodProps {
  ask: ScopeAsk;
  onChange: (ask: ScopeAsk) => void;
}

/** If the days are in the wrong order, the other one changes too. */
function Period({ ask: { from = '', to = '' }, onChange }: PeriodProps) {
  return (
    <>
      <TextField
        label="Dal"
        type="date"
        value={from}
        onChange={(day) => day !== '' && onChange({ from: day, to: to < day ? day : to })}
      />
      <TextField
        label="Al"
        type="date"
        value={to}
        onChange={(day) =>
          day !== '' && onChange({ to: day, from: from > day ? day : from || day })
        }
      />
      <div className={styles.spans}>
        {[7, 30, 90].map((count) => (
          <Button
            key={count}
            small
            look="quiet"
            onClick={() => onChange(lastDays(count))}
            label={`Ultimi ${count} giorni`}
          />
        ))}
      </div>
    </>
  );
}

interface AgainstProps {
  ask: ScopeAsk;
  name: string | null;
  onChange: (against: string) => void;
  onOther: () => void;
}

const another = 'another';

function Against({ ask: { against = '' }, name, onChange, onOther }: AgainstProps) {
  const isOther = against !== '' && against !== 'before';
  return (
    <Choice
      label="Confronto"
      all="Nessun confronto"
      value={against}
      options={[
        ['before', 'Con la data precedente'],
        ...(isOther ? [[against, `Con ${name ?? against}`] as const] : []),
        [another, 'Con un altro evento…'],
      ]}
      onChange={(value) => (value === another ? onOther() : onChange(value))}
    />
  );
}
