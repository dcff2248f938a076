/** The fields of a price rule: those of its kind, then which tickets, where and when. */
import type { ReactNode } from 'react';
import { ruleBounds } from '#server/domain/price/rule-check.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Check, Radios, Segments } from '#apps/admin/kit/form/choices.tsx';
import { EuroField } from '#apps/admin/kit/form/euro-field.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import type { PartDraft, RuleDraft } from './draft.ts';
import type { RulesDesk } from './owner.ts';
import { Picks } from '#apps/admin/kit/form/picks.tsx';
import styles from './rules.module.css';

export interface FieldsProps {
  draft: RuleDraft;
  desk: Pick<RulesDesk, 'categories' | 'ticket_types'>;
  set: (part: Partial<RuleDraft>) => void;
}

export function KindFields(props: FieldsProps) {
  const { kind } = props.draft;
  if (kind === 'every') return <EveryFields {...props} />;
  if (kind === 'package') return <PackageFields {...props} />;
  return kind === 'group' ? <GroupFields {...props} /> : <LessFields {...props} />;
}

interface CountProps {
  label: string;
  hint?: string;
  value: string;
  onChange: (text: string) => void;
}

function CountField(props: CountProps) {
  return <TextField {...props} inputMode="numeric" maxLength={3} />;
}

function EveryFields({ draft, set }: FieldsProps) {
  return (
    <>
      <Beside>
        <CountField label="Ogni quanti biglietti" value={draft.n} onChange={(n) => set({ n })} />
        <CountField
          label="Quanti costano meno"
          hint="I meno cari."
          value={draft.k}
          onChange={(k) => set({ k })}
        />
        <MostField draft={draft} set={set} />
      </Beside>
      <ReducedFields draft={draft} set={set} />
      <EveryChoices draft={draft} set={set} />
    </>
  );
}

type DraftProps = Pick<FieldsProps, 'draft' | 'set'>;

function ReducedFields({ draft, set }: DraftProps) {
  return (
    <>
      <Segments
        legend="Quanto costano"
        value={draft.reduced}
        options={[
          ['free', 'Sono gratis'],
          ['price', 'A un prezzo'],
        ]}
        onChange={(reduced) => set({ reduced })}
      />
      {draft.reduced === 'price' && (
        <EuroField
          label="Prezzo di ciascuno, in euro"
          value={draft.price}
          onChange={(price) => set({ price })}
        />
      )}
    </>
  );
}

function EveryChoices({ draft, set }: DraftProps) {
  return (
    <>
      <Radios
        legend="Quali sono i meno cari"
        value={draft.grouped}
        options={[
          [
            'cheapest',
            'I meno cari di tutto il carrello',
            'Con 3 da 30 € e 3 da 20 € sono gratis due da 20 €.',
          ],
          [
            'best',
            'I meno cari di ogni gruppo, come conviene a chi compra',
            'Con 3 da 30 € e 3 da 20 € sono gratis uno da 30 € e uno da 20 €.',
          ],
        ]}
        onChange={(grouped) => set({ grouped })}
      />
      <Check
        label="Dividi lo sconto tra i biglietti del gruppo"
        hint="Altrimenti resta tutto sul biglietto che costa meno."
        checked={draft.spread}
        onChange={(spread) => set({ spread })}
      />
      <EuroField
        label="Solo da una spesa di, in euro (facoltativo)"
        hint="Conta il listino dei biglietti di questa regola."
        value={draft.least}
        onChange={(least) => set({ least })}
      />
    </>
  );
}

function MostField({ draft, set }: DraftProps) {
  return (
    <CountField
      label="Volte per acquisto"
      hint={`Al massimo ${ruleBounds.most.max}.`}
      value={draft.most}
      onChange={(most) => set({ most })}
    />
  );
}

function PackageFields({ draft, desk, set }: FieldsProps) {
  const { parts } = draft;
  const change = (part: PartDraft, next: Partial<PartDraft>) =>
    set({ parts: parts.map((one) => (one === part ? { ...part, ...next } : one)) });
  return (
    <>
      {parts.map((part, nth) => (
        <fieldset key={part.key} className={styles.part}>
          <legend className="ui-field-label">Parte {nth + 1} del pacchetto</legend>
          <CountField
            label="Quanti"
            value={part.count}
            onChange={(count) => change(part, { count })}
          />
          <Picks
            legend="Di questo tipo"
            options={typesOf(desk)}
            chosen={part.ticket_types}
            onChange={(ticket_types) => change(part, { ticket_types })}
          />
          {parts.length > 1 && (
            <Button
              small
              look="quiet"
              label={`Togli la parte ${nth + 1}`}
              onClick={() => set({ parts: parts.filter((one) => one !== part) })}
            />
          )}
        </fieldset>
      ))}
      {parts.length < ruleBounds.parts.max && (
        <Button
          small
          icon="plus"
          label="Un altro tipo"
          onClick={() =>
            set({
              parts: [
                ...parts,
                { key: (parts.at(-1)?.key ?? 0) + 1, ticket_types: [], count: '1' },
              ],
            })
          }
        />
      )}
      <Beside>
        <EuroField
          label="Prezzo di tutto insieme, in euro"
          value={draft.price}
          onChange={(price) => set({ price })}
        />
        <MostField draft={draft} set={set} />
      </Beside>
    </>
  );
}

function GroupFields({ draft, set }: FieldsProps) {
  return (
    <>
      <Segments
        legend="Che cosa ottiene il gruppo"
        value={draft.benefit}
        options={[
          ['percent', 'Uno sconto in per cento'],
          ['price', 'Un prezzo a testa'],
        ]}
        onChange={(benefit) => set({ benefit })}
      />
      <Beside>
        <CountField
          label="Da quanti posti"
          value={draft.from_places}
          onChange={(from_places) => set({ from_places })}
        />
        <BenefitField draft={draft} set={set} euroLabel="Prezzo a testa, in euro" />
        <CountField
          label="Un accompagnatore gratis ogni"
          hint="Paganti. Vuoto: nessuno."
          value={draft.free_every}
          onChange={(free_every) => set({ free_every })}
        />
      </Beside>
    </>
  );
}

/** The one number of what the rule gives. */
function BenefitField({ draft, set, euroLabel }: DraftProps & { euroLabel: string }) {
  return draft.benefit === 'percent' ? (
    <CountField
      label="Sconto, in per cento"
      value={draft.percent}
      onChange={(percent) => set({ percent })}
    />
  ) : (
    <EuroField label={euroLabel} value={draft.price} onChange={(price) => set({ price })} />
  );
}

/** What a code or a convention takes off each ticket. */
function LessFields({ draft, set }: FieldsProps) {
  return (
    <>
      <Segments
        legend="Quanto toglie"
        value={draft.benefit}
        options={[
          ['percent', 'Uno sconto in per cento'],
          ['price', 'Una somma a biglietto'],
        ]}
        onChange={(benefit) => set({ benefit })}
      />
      <BenefitField draft={draft} set={set} euroLabel="Sconto a biglietto, in euro" />
    </>
  );
}

/** How the rule stands beside others, and whether all buyers have it. */
export function TogetherFields({ draft, set }: DraftProps) {
  const isOpened = draft.kind === 'code' || draft.kind === 'convention';
  return (
    <>
      {!isOpened && (
        <Check
          label="Solo con un codice"
          hint="I codici si fanno dopo, dall’elenco delle regole."
          checked={draft.opened_by_code}
          onChange={(opened_by_code) => set({ opened_by_code })}
        />
      )}
      <Check
        label="Si somma alle altre riduzioni"
        hint="Su uno stesso biglietto, con le regole che hanno anche loro questo segno. Senza, vale la riduzione che conviene di più."
        checked={draft.meets}
        onChange={(meets) => set({ meets })}
      />
    </>
  );
}

export function ScopeFields({ draft, desk, set }: FieldsProps) {
  return (
    <>
      {desk.categories.length > 1 && (
        <Picks
          legend="In quali settori"
          hint="Nessuno scelto: in tutti."
          options={desk.categories.map((name) => [name, name])}
          chosen={draft.categories}
          onChange={(categories) => set({ categories })}
        />
      )}
      {draft.kind !== 'package' && desk.ticket_types.length > 0 && (
        <Picks
          legend="Per quali tipi di biglietto"
          hint="Nessuno scelto: per tutti. Un biglietto gratis non conta mai."
          options={typesOf(desk)}
          chosen={draft.ticket_types}
          onChange={(ticket_types) => set({ ticket_types })}
        />
      )}
      <fieldset className={styles.picks}>
        <legend className="ui-field-label">Dove</legend>
        <Segments
          legend="Dove"
          value={draft.channel}
          options={[
            ['all', 'Online e alla cassa'],
            ['site', 'Solo online'],
            ['till', 'Solo alla cassa'],
          ]}
          onChange={(channel) => set({ channel })}
        />
      </fieldset>
      <Beside>
        <TextField
          label="Dal giorno (facoltativo)"
          type="date"
          value={draft.first_day}
          onChange={(first_day) => set({ first_day })}
        />
        <TextField
          label="Fino al giorno, compreso (facoltativo)"
          type="date"
          value={draft.last_day}
          onChange={(last_day) => set({ last_day })}
        />
      </Beside>
    </>
  );
}

function Beside({ children }: { children: ReactNode }) {
  return <div className={styles.beside}>{children}</div>;
}

function typesOf({ ticket_types }: FieldsProps['desk']): (readonly [string, string])[] {
  return ticket_types.map(({ ticketType, label }) => [ticketType, label]);
}
