/** The codes of a price rule: their limits and uses, new ones, the file, and the print. */
import { useState } from 'react';
import { endRuleCode, exportRuleCodes, listRuleCodes } from '#server/contract/price-codes.ts';
import { call } from '#apps/shared/api.ts';
import { addressOf, type ReplyOf } from '#server/contract/endpoint.ts';
import { formatShortDate } from '#apps/shared/format.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { FreshDownload } from '#apps/admin/kit/fresh-download.tsx';
import { SearchField } from '#apps/admin/kit/list/filters.tsx';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { SecondLine, Table } from '#apps/admin/kit/list/table.tsx';
import { useTypedSearch } from '#apps/admin/kit/list/typed-search.ts';
import { useChange } from '#apps/admin/kit/refresh.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { AddCode, ChangeCode, MakeCodes } from './code-dialogs.tsx';
import { CodeSheets, type CodePaper } from './code-sheet.tsx';
import { limitWords, stateOfCode, codeUseWords, type RuleCode } from './code-words.ts';
import { DateChoice } from './date-choice.tsx';
import type { KnownRule, RulesDesk } from './owner.ts';
import styles from './rules.module.css';

interface CodesProps {
  rule: KnownRule;
  desk: RulesDesk;
}

export function RuleCodes({ rule, desk }: CodesProps) {
  const [open, setOpen] = useState<'one' | 'many' | null>(null);
  const [q, setQ] = useState('');
  const search = useTypedSearch(q, setQ);
  const params = { ruleId: rule.rule_id };
  const codes = usePages(listRuleCodes, { params, query: q === '' ? {} : { q } }, 15_000);
  const { name } = rule.rule;
  return (
    <section className={styles.codes} aria-label={`Codici di ${name}`}>
      <div className={styles.acts}>
        <Button small icon="plus" label="Aggiungi un codice" onClick={() => setOpen('one')} />
        <Button small icon="plus" label="Fai codici personali" onClick={() => setOpen('many')} />
      </div>
      <PagedList pages={codes}>
        {(rows) =>
          rows.length === 0 && q === '' ? (
            <p className={textStyles.soft}>
              Nessun codice ancora: finché non ce n’è uno, nessuno può usare questa regola.
            </p>
          ) : (
            <div className={styles.codes}>
              <SearchField search={search} label="Cerca un codice o un nome" hint="Codice o nome" />
              <CodeTable codes={rows} />
            </div>
          )
        }
      </PagedList>
      <Papers rule={rule} desk={desk} />
      {open === 'one' && <AddCode ruleId={rule.rule_id} onClose={() => setOpen(null)} />}
      {open === 'many' && <MakeCodes ruleId={rule.rule_id} onClose={() => setOpen(null)} />}
    </section>
  );
}

function CodeTable({ codes }: { codes: readonly RuleCode[] }) {
  const [changed, setChanged] = useState<RuleCode | null>(null);
  if (codes.length === 0)
    return <p className={textStyles.soft}>Nessun codice con queste parole.</p>;
  return (
    <>
      <Table
        cards
        columns={['Codice', 'Limiti', 'Usato', { hidden: 'Azioni' }]}
        aria-label="Codici"
      >
        <tbody>
          {codes.map((code) => (
            <CodeLine key={code.code_id} code={code} onChange={() => setChanged(code)} />
          ))}
        </tbody>
      </Table>
      {changed !== null && <ChangeCode code={changed} onClose={() => setChanged(null)} />}
    </>
  );
}

function CodeLine({ code, onChange }: { code: RuleCode; onChange: () => void }) {
  const change = useChange();
  const { spelling, holder, code_id } = code;
  const state = stateOfCode(code);
  return (
    <tr>
      <th scope="row">
        <span className={textStyles.code}>{spelling}</span>
        {holder !== null && <SecondLine>{holder}</SecondLine>}
      </th>
      <td>{limitWords(code)}</td>
      <td>
        {codeUseWords(code)} {state === 'used_up' && <Badge icon="check">Esaurito</Badge>}
        {state === 'ended' && <Badge icon="lock">Chiuso</Badge>}
      </td>
      <td>
        {state !== 'ended' && (
          <div className={styles.acts}>
            <Button
              small
              label="Cambia"
              aria-label={`Cambia il codice ${spelling}`}
              onClick={onChange}
            />
            <AskButton
              label={
                <span>
                  Chiudi<span className="visually-hidden"> il codice {spelling}</span>…
                </span>
              }
              title={`Chiudere il codice ${spelling}?`}
              text={
                <p>
                  Da subito nessuno può più usarlo, e non si può riaprire né rifare uguale. Chi l’ha
                  già usato tiene il suo prezzo.
                </p>
              }
              confirmLabel="Chiudi il codice"
              danger
              onConfirm={() => change(endRuleCode, { params: { codeId: code_id } })}
            />
          </div>
        )}
      </td>
    </tr>
  );
}

/** The file holds all codes, the print those that still open the rule. */
function Papers({ rule, desk }: CodesProps) {
  const params = { ruleId: rule.rule_id };
  const [eventId, setEventId] = useState(desk.dates[0]?.id ?? '');
  const [paper, setPaper] = useState<CodePaper | null>(null);
  const date = desk.dates.find(({ id }) => id === eventId);
  return (
    <div className={styles.papers}>
      {date !== undefined && (
        <>
          {desk.dates.length > 1 && (
            <DateChoice
              label="Data del link"
              dates={desk.dates}
              value={eventId}
              onChange={setEventId}
            />
          )}
          <AsyncButton
            onClick={async () => setPaper({ rule, date, codes: await liveCodes(rule.rule_id) })}
          >
            <Icon name="print" size={18} /> Stampa con i QR
            <span className="visually-hidden"> per {formatShortDate(date.starts_at)}</span>
          </AsyncButton>
        </>
      )}
      <p className={textStyles.links}>
        <FreshDownload href={addressOf(exportRuleCodes, params)}>
          <Icon name="download" size={16} /> Codici in CSV
        </FreshDownload>
      </p>
      {paper !== null && <CodeSheets paper={paper} onPrinted={() => setPaper(null)} />}
    </div>
  );
}

type Page = ReplyOf<typeof listRuleCodes>;

async function liveCodes(ruleId: string): Promise<RuleCode[]> {
  const codes: RuleCode[] = [];
  for (let cursor: string | null = null; ;) {
    const query: { limit: string; cursor?: string } = { limit: '100' };
    if (cursor !== null) query.cursor = cursor;
    const page: Page = await call(listRuleCodes, { params: { ruleId }, query });
    codes.push(...page.items.filter((code) => stateOfCode(code) === 'live'));
    cursor = page.next_cursor;
    if (cursor === null) return codes;
  }
}
