import type { RevenueCondition } from '../../config/control-plane-settings.js';
import { isKubernetesLabel } from './names.js';
import { textKind, type Kind } from './kind.js';

const OPERATORS = ['>=', '<=', '==', '>', '<'] as const;

/** A comparison with an amount, such as `>100000`. */
export const REVENUE: Kind<RevenueCondition> = textKind(
  'an operator (>, >=, <, <= or ==) and a number, such as ">100000"',
  '^(>=|<=|==|>|<) *\\d{1,15}(\\.\\d{1,4})?$',
  (value) => {
    const [, written, amount] = /^(>=|<=|==|>|<) *(\d{1,15}(?:\.\d{1,4})?)$/.exec(value) ?? [];
    const operator = OPERATORS.find((each) => each === written);
    return operator === undefined ? undefined : { operator, amount: Number(amount) };
  },
);

/** A label selector of Kubernetes: requirements with commas between, all of which hold. */
export const LABEL_SELECTOR: Kind<string> = textKind(
  'a label selector of Kubernetes, such as "app=proxy,tier in (a, b)"',
  undefined,
  (value) =>
    value.length <= 1024 &&
    !/\p{Cc}/u.test(value) &&
    splitRequirements(value).every((each) => isRequirement(each.trim()))
      ? value
      : undefined,
);

const VALUE = /^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/;

/** At the commas that are not in brackets. */
function splitRequirements(selector: string): readonly string[] {
  return selector.split(/,(?![^(]*\))/);
}

function isRequirement(text: string): boolean {
  const [, setKey, values] = /^([^\s,()=!]{1,317}) +(?:in|notin) +\(([^()]*)\)$/.exec(text) ?? [];
  if (setKey !== undefined && values !== undefined) {
    return isKubernetesLabel(setKey) && values.split(',').every((each) => VALUE.test(each.trim()));
  }
  const [, equalKey, value] = /^([^\s,()=!]{1,317}) *(?:==?|!=) *([^\s,()=!]*)$/.exec(text) ?? [];
  if (equalKey !== undefined && value !== undefined) {
    return isKubernetesLabel(equalKey) && VALUE.test(value);
  }
  return isKubernetesLabel(text.replace(/^! */, ''));
}
