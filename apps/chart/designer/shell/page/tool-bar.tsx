/** The tools at the left: one Tab stop, with arrow keys inside. */
import { useRef, type KeyboardEvent } from 'react';
import { isEnabled } from '#apps/chart/designer/config.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { Icon } from '#apps/chart/designer/kit/icons.tsx';
import { toolGroups } from '#apps/chart/designer/acts/tool-list.ts';

export function ToolBar() {
  const { studio, config } = useDesigner();
  const tool = useStudio(studio, (state) => state.tool);
  const readOnly = useStudio(studio, (state) => state.readOnly);
  const bar = useRef<HTMLDivElement>(null);
  const groups = toolGroups
    .map((group) =>
      group.filter(
        ({ feature, harmless }) =>
          (harmless || !readOnly) && (!feature || isEnabled(config(), feature)),
      ),
    )
    .filter((group) => group.length > 0);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 2, ArrowUp: -2, ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const buttons = [...(bar.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons[Math.max(0, Math.min(buttons.length - 1, at + step))]?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={bar}
      className="bsd-tools"
      role="toolbar"
      aria-label="Strumenti"
      aria-orientation="vertical"
      tabIndex={-1}
      onKeyDown={move}
    >
      {groups.map((group, index) => (
        <div key={group[0]?.tool} className="bsd-tools-group" data-first={index === 0}>
          {group.map(({ tool: own, name, letter }) => (
            <button
              key={own}
              type="button"
              className="bsd-icon-button"
              aria-label={name}
              title={`${name} (${letter})`}
              aria-keyshortcuts={letter}
              aria-pressed={own === tool}
              tabIndex={own === tool ? 0 : -1}
              onClick={() => studio.set({ tool: own })}
            >
              <Icon name={own} />
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}
