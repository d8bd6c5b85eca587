// Devices: the register of what draws, with the forms for inspections of devices and of draws.
import { element } from "../kit/dom.js";
import { officeStrings as office } from "../kit/strings-office.js";
import { registerStrings as strings } from "../kit/strings-register.js";
import { form } from "./form.js";
import { Table } from "./table.js";

const asked = ["register_device", "choose_device", "choose_beacon"];

export async function showDevices(page) {
  const { desk } = page;
  const list = new Table({ name: office.views.devices, empty: strings.noDevices, columns: [
    { head: strings.deviceHead, cell: (d) => office.deviceName(d), value: (d) => d.number }, { head: strings.siteHead, cell: (d) => d.site },
    { head: strings.approvalHead, cell: (d) => d.reference }, { head: strings.deviceStatus, cell: (d) => strings.deviceState(d) },
    { head: strings.inspectedHead, cell: (d) => d.inspections > 0 ? strings.lastInspection(d) : "" }] });
  const look = async () => list.show((await desk.get("/v1/operator")).devices);
  if (desk.may("get-course")) {
    await look();
    page.target.append(element("section", "panel", [element("h2", "", office.views.devices), element("p", "hint", strings.devicesHint), list.element,
      ...(desk.may("register-device") ? [element("p", "", asked.flatMap((act) => [element("a", "button", office.acts[act], { href: `#ask/${act}` }), " "]))] : [])]));
  }
  if (desk.may("inspect-device")) page.target.append(inspections(page));
  if (desk.may("inspect-draw")) page.target.append(draws(page));
  return desk.may("get-course") ? look : null;
}

const finding = { name: "finding", label: strings.finding, hint: strings.findingHint };
const reference = { name: "reference", label: strings.reportReference, optional: true };

// inspections has the form for what was found of a device or of its balls.
function inspections(page) {
  const made = form("inspection", [
    { name: "device", label: strings.deviceNumber, kind: "number" },
    { name: "part", label: strings.part, kind: "choice", options: Object.entries(strings.parts) },
    { name: "sound", label: strings.found, kind: "truth", options: [["true", strings.sound], ["false", strings.unsound]] }, finding,
    { name: "authority", label: strings.authority, hint: strings.authorityHint, optional: true }, reference,
    { name: "directed", label: strings.directed, kind: "check" }], strings.noteInspection, async (values) => {
    await page.done(({ device, ...rest }) => page.desk.send("POST", `/v1/operator/devices/${device}/inspections`, rest), strings.inspectionNoted)(values);
    made.reset();
  });
  return element("section", "panel", [element("h2", "", strings.inspectDevice), element("p", "hint", strings.inspectDeviceHint), made]);
}

// draws has the form for what an inspector found of the central record of a draw.
function draws(page) {
  const made = form("draw-inspection", [
    { name: "ordinal", label: office.fields.ordinal, kind: "number" },
    { name: "agrees", label: strings.found, kind: "truth", options: [["true", strings.agrees], ["false", strings.disagrees]] }, finding, reference,
    { name: "witnessed", label: strings.witnessedDraw, kind: "check" }], strings.noteInspection, async (values) => {
    await page.done(({ ordinal, ...rest }) => page.desk.send("POST", `/v1/operator/games/${ordinal}/inspections`, rest), strings.inspectionNoted)(values);
    made.reset();
  }, { main: false });
  return element("section", "panel", [element("h2", "", strings.inspectDraw), element("p", "hint", strings.inspectDrawHint), made]);
}
