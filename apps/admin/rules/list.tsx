/** Price rules as sentences, each with what it gave away and its acts. */
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { changeRule, endRule } from '#server/contract/price-rules.ts';
import type { TypedRule } from '#server/domain/price/typed-rule.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { RuleCodes } from './codes.tsx';
import { hasCodes, type KnownRule, type RulesDesk } from './owner.ts';
import { RuleDialog } from './rule-dialog.tsx';
import { givenWords, soldWords } from './words.ts';
import styles from './rules.module.css';

interface RuleListProps {
  desk: RulesDesk;
  rules: readonly KnownRule[];
  label: string;
  /** Where these rules are changed; missing: here. */
  from?: { to: string; words: string };
  mayChange: boolean;
}

export function RuleList({ desk, rules, label, from, mayChange }: RuleListProps) {
  return (
    <>
      {from !== undefined && (
        <h3>
          {label} <Link to={from.to}>{from.words}</Link>
        </h3>
      )}
      <ul className={styles.list} aria-label={label}>
        {rules.map((rule) => (
          <li key={rule.rule_id} className={styles.rule}>
            <RuleText rule={rule} />
            {mayChange && from === undefined && <RuleActs rule={rule} desk={desk} />}
            {mayChange && from === undefined && hasCodes(rule.rule) && (
              <Codes rule={rule} desk={desk} />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function Codes({ rule, desk }: { rule: KnownRule; desk: RulesDesk }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.folded} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Codici<span className="visually-hidden"> della regola {rule.rule.name}</span>
      </summary>
      {isOpen && <RuleCodes rule={rule} desk={desk} />}
    </details>
  );
}

function RuleText({ rule: { rule, sentence, reason, time, given } }: { rule: KnownRule }) {
  return (
    <div className={styles.text}>
      <p className={styles.name}>
        <b>{rule.name}</b>
        {time === 'later' && <Badge icon="clock">Non ancora cominciata</Badge>}
        {time === 'past' && <Badge icon="check">Finita</Badge>}
      </p>
      <p>{sentence}</p>
      <p className={textStyles.soft}>
        {givenWords(given)} · chi compra legge «{reason}»
      </p>
    </div>
  );
}

function RuleActs({ rule, desk }: { rule: KnownRule; desk: RulesDesk }) {
  const change = useChange();
  const [isOpen, setOpen] = useState(false);
  const params = { ruleId: rule.rule_id };
  const { name } = rule.rule;
  return (
    <div className={styles.acts}>
      <Button
        small
        label="Cambia"
        aria-label={`Cambia la regola ${name}`}
        onClick={() => setOpen(true)}
      />
      <AskButton
        label={
          <span>
            Togli<span className="visually-hidden"> la regola {name}</span>…
          </span>
        }
        title={`Togliere «${name}»?`}
        text={
          <>
            <p>{rule.sentence}</p>
            <p>Da subito nessun acquisto la usa più. {soldWords(desk.sold)}</p>
          </>
        }
        confirmLabel="Togli la regola"
        danger
        onConfirm={() => change(endRule, { params })}
      />
      {isOpen && (
        <RuleDialog
          start={rule.rule}
          desk={desk}
          onSave={(body: TypedRule) => change(changeRule, { params, body })}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}
