/** The panels at the right as tabs; arrow keys move from tab to tab. */
import { requireValue } from '#server/domain/require-value.ts';
import { useId, type KeyboardEvent } from 'react';
import { isEnabled } from '#apps/chart/designer/config.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import { IconButton } from '#apps/chart/designer/kit/controls.tsx';
import { Icon } from '#apps/chart/designer/kit/icons.tsx';
import { panels } from '#apps/chart/designer/shell/panels.ts';

interface SideLook {
  shown: string;
  onShow: (id: string) => void;
  /** Closes the panels, which cover the canvas where there is no room beside it. */
  onClose: () => void;
}

export function Side({ shown, onShow, onClose }: SideLook) {
  const id = useId();
  const { studio, config } = useDesigner();
  const tabs = panels.filter(({ feature }) => !feature || isEnabled(config(), feature));
  const open = tabs.find((panel) => panel.id === shown) ?? requireValue(tabs[0], 'panel');
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = tabs[(tabs.indexOf(open) + step + tabs.length) % tabs.length] ?? open;
    onShow(next.id);
    document.getElementById(`${id}-tab-${next.id}`)?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  const Component = open.component;
  return (
    <section className="bsd-side" aria-label="Pannelli">
      <div className="bsd-tabs" role="tablist" aria-label="Pannelli" tabIndex={-1} onKeyDown={move}>
        {tabs.map((panel) => (
          <button
            key={panel.id}
            id={`${id}-tab-${panel.id}`}
            type="button"
            role="tab"
            className="bsd-icon-button"
            aria-selected={panel === open}
            aria-controls={panel === open ? `${id}-panel` : undefined}
            aria-label={panel.title}
            title={panel.title}
            tabIndex={panel === open ? 0 : -1}
            onClick={() => onShow(panel.id)}
          >
            <Icon name={panel.icon} />
          </button>
        ))}
      </div>
      <div
        id={`${id}-panel`}
        className="bsd-side-panel"
        role="tabpanel"
        aria-labelledby={`${id}-tab-${open.id}`}
      >
        <div className="bsd-pane-title">
          <h2>{open.title}</h2>
          <span className="bsd-only-narrow">
            <IconButton icon="cross" label="Chiudi i pannelli" onPress={onClose} />
          </span>
        </div>
        <div className="bsd-pane-body">
          <Component studio={studio} />
        </div>
      </div>
    </section>
  );
}
