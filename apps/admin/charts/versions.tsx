/** The published versions of a chart, each with a button that restores it. */
import { chartVersions, restoreChart } from '#server/contract/charts.ts';
import { formatCount, formatListDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import type { ChartDetail } from './chart-detail.ts';

export function Versions({ chart }: { chart: ChartDetail }) {
  const params = { chartKey: chart.key };
  const versions = useEndpoint(chartVersions, { params });
  const change = useChange();
  return (
    <Panel wide aria-labelledby="chart-versions">
      <h2 id="chart-versions">Versioni pubblicate</h2>
      <Loaded query={versions}>
        {({ items }) => (
          <Table cards columns={['Pubblicata', { number: 'Posti', rem: 7 }, { hidden: 'Azioni' }]}>
            <tbody>
              {items.map((item) => (
                <tr key={item.version}>
                  <th scope="row">
                    {item.published_at === null
                      ? 'Non si sa quando'
                      : formatListDate(item.published_at)}
                    <SecondLine>
                      {[item.published_by, item.name].filter(Boolean).join(' · ')}
                    </SecondLine>
                  </th>
                  <td>{formatCount(item.places, 'posto', 'posti')}</td>
                  <td>
                    {item.is_published ? (
                      <Badge tone="good" icon="check">
                        In uso
                      </Badge>
                    ) : (
                      <AskButton
                        label="Ripristina…"
                        title="Ripristinare questa versione?"
                        text={<p>{restoreWords(chart.is_draft)}</p>}
                        confirmLabel="Ripristina come bozza"
                        onConfirm={() =>
                          change(restoreChart, {
                            params,
                            body: { version: item.version, from: chart.version },
                          })
                        }
                      />
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </Table>
        )}
      </Loaded>
    </Panel>
  );
}

function restoreWords(isDraft: boolean): string {
  const stays = 'Diventa la bozza: quello che è in vendita non cambia finché non la pubblichi.';
  return isDraft ? `${stays} La bozza di adesso va persa.` : stays;
}
