/** The trial box: a typed cart, at any moment, and what it costs and why. */
import { useState } from 'react';
import { tryRules } from '#server/contract/price-rules.ts';
import { saleChannels, type SaleChannel } from '#server/domain/price/rule.ts';
import { Field, FieldSelect } from '#apps/shared/ui/field.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { Segments } from '#apps/admin/kit/form/choices.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { instantOf, noTime, type WallTime } from '#apps/admin/kit/form/wall-time.ts';
import { FailureNotice } from '#apps/admin/kit/page/notice.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { TimeField } from '#apps/admin/event/form/time-field.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { DateChoice } from './date-choice.tsx';
import { readCount } from './draft.ts';
import { hasCodes, type KnownRule, type Owner, type RulesDesk } from './owner.ts';
import { Picks } from '#apps/admin/kit/form/picks.tsx';
import { TrialResult, type TrialReply } from './trial-result.tsx';
import styles from './rules.module.css';

interface TrialLine {
  /** React's key of the row. */ key: number;
  category: string;
  ticket_type: string;
  quantity: string;
}

/** Whether a rule counts only for buyers who open it. */
function isOpened(rule: KnownRule['rule']): boolean {
  return rule.kind === 'convention' || hasCodes(rule);
}

/** The rules that the tried buyer has opened; a rule that was removed meanwhile is none. */
function useOpened({ rules }: RulesDesk) {
  const [chosen, setOpened] = useState<readonly string[]>([]);
  const openable = rules.filter(({ rule }) => isOpened(rule));
  const opened = chosen.filter((id) => openable.some(({ rule_id }) => rule_id === id));
  return { openable, opened, setOpened };
}

function OpenedPicks({ openable, opened, setOpened }: ReturnType<typeof useOpened>) {
  if (openable.length === 0) return null;
  return (
    <Picks
      legend="Codici e convenzioni di chi compra"
      options={openable.map(({ rule_id, rule }) => [rule_id, rule.name])}
      chosen={opened}
      onChange={setOpened}
    />
  );
}

const mostLines = 20;
const channelWords: Record<SaleChannel, string> = { site: 'Online', till: 'Alla cassa' };

export function Trial({ owner, desk }: { owner: Owner; desk: RulesDesk }) {
  const act = useAct();
  const [first] = desk.dates;
  const [eventId, setEventId] = useState(first?.id ?? '');
  const [lines, setLines] = useState<readonly TrialLine[]>(() => [lineOf(desk, 1, '3')]);
  const [channel, setChannel] = useState<SaleChannel>('site');
  const [when, setWhen] = useState<WallTime>(noTime);
  const { opened, ...opening } = useOpened(desk);
  const [reply, setReply] = useState<TrialReply | null>(null);
  const form = useSubmit(async () => {
    setReply(null);
    setReply(
      await act(tryRules, {
        params: { eventId },
        body: {
          channel,
          opened: [...opened],
          at: new Date(instantOf(when) ?? Date.now()).toISOString(),
          tickets: lines.map(ticketsOf),
        },
      }),
    );
  });
  if (first === undefined || desk.ticket_types.length === 0) return null;
  return (
    <Panel>
      <h2 id="trial">Prova un carrello</h2>
      <p className={textStyles.soft}>
        Quanto pagherebbe chi compra, e perché. Non vende niente e non tiene posti.
      </p>
      <form
        className={`${formStyles.stack} ${styles.trial}`}
        aria-labelledby="trial"
        onSubmit={form.submit}
      >
        {owner.of !== 'event' && (
          <DateChoice label="Data" dates={desk.dates} value={eventId} onChange={setEventId} />
        )}
        <TrialLines desk={desk} lines={lines} onChange={setLines} />
        <ChannelChoice value={channel} onChange={setChannel} />
        <OpenedPicks opened={opened} {...opening} />
        <TimeField label="Quando compra" hint="Vuoto: adesso." value={when} onChange={setWhen} />
        <FailureNotice text={form.failure} />
        <Button
          type="submit"
          look="primary"
          busy={form.busy}
          disabled={!lines.every(isCounted)}
          label="Calcola"
        />
      </form>
      <output className={styles.outcome} aria-label="Quanto costa il carrello">
        {reply !== null && <TrialResult reply={reply} />}
      </output>
    </Panel>
  );
}

function lineOf({ categories, ticket_types }: RulesDesk, key: number, quantity: string): TrialLine {
  return {
    key,
    category: categories[0] ?? '',
    ticket_type: ticket_types[0]?.ticketType ?? '',
    quantity,
  };
}

function ChannelChoice(props: { value: SaleChannel; onChange: (channel: SaleChannel) => void }) {
  return (
    <Segments
      {...props}
      legend="Dove compra"
      options={saleChannels.map((one) => [one, channelWords[one]])}
    />
  );
}

function ticketsOf({ category, ticket_type, quantity }: TrialLine) {
  return { category, ticket_type, quantity: readCount(quantity) };
}

function isCounted({ quantity }: TrialLine): boolean {
  return readCount(quantity) > 0;
}

interface LinesProps {
  desk: RulesDesk;
  lines: readonly TrialLine[];
  onChange: (lines: readonly TrialLine[]) => void;
}

function TrialLines({ desk, lines, onChange }: LinesProps) {
  return (
    <>
      {lines.map((line, nth) => (
        <LineFields
          key={line.key}
          name={`Biglietti ${nth + 1}`}
          desk={desk}
          line={line}
          onChange={(next) => onChange(lines.map((one) => (one === line ? next : one)))}
          onRemove={lines.length > 1 ? () => onChange(lines.filter((one) => one !== line)) : null}
        />
      ))}
      {lines.length < mostLines && (
        <Button
          small
          icon="plus"
          label="Altri biglietti"
          onClick={() => onChange([...lines, lineOf(desk, (lines.at(-1)?.key ?? 0) + 1, '1')])}
        />
      )}
    </>
  );
}

interface LineProps {
  name: string;
  desk: RulesDesk;
  line: TrialLine;
  onChange: (line: TrialLine) => void;
  onRemove: (() => void) | null;
}

function LineFields({ name, desk, line, onChange, onRemove }: LineProps) {
  return (
    <fieldset className={styles.line}>
      <legend className="visually-hidden">{name}</legend>
      <TextField
        label="Quanti"
        inputMode="numeric"
        maxLength={3}
        value={line.quantity}
        onChange={(quantity) => onChange({ ...line, quantity })}
      />
      <Field label="Tipo">
        <FieldSelect
          value={line.ticket_type}
          onChange={(event) => onChange({ ...line, ticket_type: event.target.value })}
        >
          {desk.ticket_types.map(({ ticketType, label }) => (
            <option key={ticketType} value={ticketType}>
              {label}
            </option>
          ))}
        </FieldSelect>
      </Field>
      <Field label="Settore">
        <FieldSelect
          value={line.category}
          onChange={(event) => onChange({ ...line, category: event.target.value })}
        >
          {desk.categories.map((category) => (
            <option key={category}>{category}</option>
          ))}
        </FieldSelect>
      </Field>
      {onRemove !== null && (
        <Button small look="quiet" label="Togli" aria-label={`Togli ${name}`} onClick={onRemove} />
      )}
    </fieldset>
  );
}
