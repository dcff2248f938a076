/** How long each kind of personal data is kept, and which law says so. */
import { useQueryClient } from '@tanstack/react-query';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readRetention, writeRetention } from '#server/contract/personal.ts';
import {
  retentionKinds,
  retentionRules,
  type Retention,
  type RetentionKind,
} from '#server/domain/person/retention.ts';
import { CallError } from '#apps/shared/api.ts';
import { keyOf } from '#apps/shared/query.ts';
import { useFormQuery } from '#apps/admin/kit/form/form-query.ts';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { Section } from '#apps/admin/kit/form/form-section.tsx';
import { Loaded, tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { FailureNotice } from '#apps/admin/kit/page/notice.tsx';
import { Intro, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { SavedForm } from '#apps/admin/site/saved-form.tsx';
import { useSavedForm } from '#apps/admin/site/use-saved-form.ts';
import { PersonalParts } from './parts.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';

type Stored = ReplyOf<typeof readRetention>;
type Values = Record<RetentionKind, string>;
type Faults = Partial<Record<RetentionKind | 'form', string>>;

export function RetentionScreen() {
  const retention = useFormQuery(readRetention, {});
  return (
    <>
      <PageTitle title="Dati personali" />
      <PersonalParts />
      <Intro>
        Ogni giorno il programma cancella quello che è scaduto e lo scrive nel Registro, in numeri.
      </Intro>
      <Loaded query={retention}>{(stored) => <RetentionForm stored={stored} />}</Loaded>
    </>
  );
}

function valuesOf({ kinds }: Stored): Values {
  return Object.fromEntries(kinds.map(({ kind, value }) => [kind, String(value)])) as Values;
}

function check(values: Values): Faults {
  return Object.fromEntries(
    retentionKinds.flatMap((kind) => {
      const { least, most } = retentionRules[kind];
      const n = Number(values[kind]);
      const isRight = /^\d+$/.test(values[kind].trim()) && n >= least && n <= most;
      return isRight ? [] : [[kind, `Un numero da ${least} a ${most}.`]];
    }),
  );
}

function faultsOf(error: unknown): Faults {
  const { kinds } = ((error instanceof CallError && error.detail) || {}) as { kinds?: string[] };
  if (kinds === undefined) return { form: tellFailure(error) };
  return Object.fromEntries(kinds.map((kind) => [kind, 'Fuori dai limiti.']));
}

function RetentionForm({ stored }: { stored: Stored }) {
  const act = useAct();
  const client = useQueryClient();
  const form = useSavedForm<Stored, Values, Faults>({
    stored,
    valuesOf,
    check,
    async write(values, { version }) {
      const times = Object.fromEntries(
        retentionKinds.map((kind) => [kind, Number(values[kind])]),
      ) as Retention;
      const next = await act(writeRetention, { body: { version, times } });
      client.setQueryData(keyOf(readRetention, {}), next);
      return next;
    },
    faultsOf,
  });
  const { held, values, faults, set } = form;
  return (
    <SavedForm form={form} notices={<FailureNotice text={faults.form ?? null} />}>
      <Section title="Tempi che puoi cambiare">
        {held.kinds.map((rule) => (
          <Time
            key={rule.kind}
            rule={rule}
            value={values[rule.kind]}
            fault={faults[rule.kind] ?? null}
            onChange={(value) => set({ [rule.kind]: value })}
          />
        ))}
      </Section>
      <Section title="Tempi fissi">
        <Facts wide>
          {held.fixed.map(({ label, time, law }) => (
            <Fact key={label} name={label}>
              {time}. <span className={textStyles.soft}>{law}</span>
            </Fact>
          ))}
        </Facts>
      </Section>
    </SavedForm>
  );
}

interface TimeProps {
  rule: Stored['kinds'][number];
  value: string;
  fault: string | null;
  onChange: (value: string) => void;
}

function Time({ rule, value, fault, onChange }: TimeProps) {
  const unit = rule.unit === 'months' ? 'mesi' : 'giorni';
  return (
    <TextField
      label={`${rule.label} (${unit} ${rule.from})`}
      hint={`Di solito ${rule.usual}. ${rule.law}`}
      error={fault}
      type="number"
      inputMode="numeric"
      min={rule.least}
      max={rule.most}
      step={1}
      value={value}
      onChange={onChange}
    />
  );
}
