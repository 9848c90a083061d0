"""Makes the workbooks of this folder: by openpyxl, by XlsxWriter, and by LibreOffice from the first.

    pip install openpyxl xlsxwriter
    python3 make.py [results.xlsx]     # needs libreoffice-calc

With the results of `run questions.csv --sandbox --excel` it also makes `edited.xlsx`: reviewed in openpyxl,
saved in LibreOffice.

Each row of the first three has a cell of some kind and format (`cell`), and the text that it displays (`shown`).
"""

import datetime
import os
import subprocess
import sys

import openpyxl
import xlsxwriter

HERE = os.path.dirname(os.path.abspath(__file__))
HEADER = ["id", "message", "cell", "shown"]
DAY = datetime.date(2026, 11, 20)
MOMENT = datetime.datetime(2026, 11, 20, 9, 5, 7)

# What it is; value; number format; text that is displayed.
CELLS = [
    ("text", "Where is the office?", "General", "Where is the office?"),
    ("text like a formula", "=1+1", "@", "=1+1"),
    ("text like a number", "0042", "@", "0042"),
    ("text with signs", "a <b> & \"c\" 'd' – €", "General", "a <b> & \"c\" 'd' – €"),
    ("text with a line break", "one\ntwo", "General", "one\ntwo"),
    ("text like an escape", "_x0041_", "General", "_x0041_"),
    ("whole number", 42, "General", "42"),
    ("negative number", -7, "General", "-7"),
    ("fraction", 0.1 + 0.2, "General", "0.3"),
    ("small number", 0.00001234, "General", "0.00001234"),
    ("long number", 123456789012345, "General", "123456789012345"),
    ("number with 15 zeros", 1e15, "General", "1000000000000000"),
    ("leading zeros", 1, "000", "001"),
    ("number with a prefix", 7, '"ID-"0000', "ID-0007"),
    ("two decimals", 2.5, "0.00", "2.50"),
    ("thousands", 1234567.891, "#,##0.00", "1,234,567.89"),
    ("percent", 0.255, "0%", "26%"),
    ("percent with decimals", 0.255, "0.0%", "25.5%"),
    ("euros", 1234.5, '#,##0.00\\ "€"', "1,234.50 €"),
    ("dollars", 1234.5, "[$$-409]#,##0.00", "$1,234.50"),
    ("negative in brackets", -3, "0;(0)", "(3)"),
    ("words for numbers", 0, '0;-0;"none"', "none"),
    ("scientific", 123456, "0.00E+00", "1.23E+05"),
    ("date", DAY, "yyyy-mm-dd", "2026-11-20"),
    ("German date", DAY, "dd.mm.yyyy", "20.11.2026"),
    ("built-in date", DAY, "mm-dd-yy", "2026-11-20"),
    ("date in words", DAY, "d mmmm yyyy", "20 November 2026"),
    ("date and time", MOMENT, "yyyy-mm-dd hh:mm:ss", "2026-11-20 09:05:07"),
    ("built-in date and time", MOMENT, "m/d/yy h:mm", "2026-11-20 09:05:07"),
    ("time", datetime.time(9, 5), "hh:mm", "09:05"),
    ("time of the afternoon", datetime.time(15, 5), "h:mm AM/PM", "3:05 PM"),
    ("duration", 1.75, "[h]:mm", "42:00"),
    ("true", True, "General", "TRUE"),
    ("false", False, "General", "FALSE"),
    ("nothing", None, "General", ""),
]
# Formats that XlsxWriter knows by their numbers.
BUILT_IN = {"mm-dd-yy": 14, "m/d/yy h:mm": 22}
# Formulas with the value that a program keeps with them.
FORMULAS = [
    ("formula with a text", '="Where "&"is it?"', "Where is it?"),
    ("formula with a number", "=6*7", 42),
    ("formula with a truth", "=1=1", True),
]


def shown(value):
    return "TRUE" if value is True else str(value)


def make_openpyxl(path):
    book = openpyxl.Workbook()
    cover = book.active
    cover.title = "Read me"
    cover["A1"] = "The questions are on the next sheet."
    sheet = book.create_sheet("Questions")
    sheet.append(["Questions of May"])
    sheet.merge_cells("A1:D1")
    sheet.append([])
    sheet.append(HEADER)
    rows = CELLS + [(name, formula, "General", shown(value)) for name, formula, value in FORMULAS]
    for index, (name, value, code, text) in enumerate(rows):
        row = index + 4
        sheet.cell(row, 1, index + 1).number_format = "000"
        sheet.cell(row, 2, f"What is {name}?")
        cell = sheet.cell(row, 3, value)
        if code == "@":
            cell.data_type = "s"
        cell.number_format = code
        told = sheet.cell(row, 4, text)
        told.data_type = "s"
        told.number_format = "@"
    sheet.auto_filter.ref = f"A3:D{len(rows) + 3}"
    book.create_sheet("Lists")["A1"] = "message"
    book["Lists"].sheet_state = "hidden"
    book.save(path)


def make_xlsxwriter(path):
    book = xlsxwriter.Workbook(path)
    sheet = book.add_worksheet("Questions")
    sheet.write_row(0, 0, HEADER)
    code = lambda one: book.add_format({"num_format": one})
    for index, (name, value, form, text) in enumerate(CELLS):
        row = index + 1
        sheet.write_number(row, 0, index + 1, code("000"))
        sheet.write_string(row, 1, f"What is {name}?")
        if isinstance(value, str):
            sheet.write_string(row, 2, value, code(form))
        elif isinstance(value, (datetime.date, datetime.time)):
            sheet.write_datetime(row, 2, value, code(BUILT_IN.get(form, form)))
        elif value is not None:
            sheet.write(row, 2, value, code(form))
        sheet.write_string(row, 3, text)
    for index, (name, formula, value) in enumerate(FORMULAS):
        row = len(CELLS) + index + 1
        sheet.write_number(row, 0, row, code("000"))
        sheet.write_string(row, 1, f"What is {name}?")
        sheet.write_formula(row, 2, formula, None, value)
        sheet.write_string(row, 3, shown(value))
    book.close()


def make_conversations(path):
    """Merged cells, hidden rows, fonts within a text."""
    book = xlsxwriter.Workbook(path)
    sheet = book.add_worksheet("Threads")
    bold = book.add_format({"bold": True})
    sheet.write_row(0, 0, ["thread", "message", "tags"])
    sheet.merge_range("A2:A4", "vpn", bold)
    sheet.write_rich_string("B2", "How do I ", bold, "reach", " the VPN?")
    sheet.write_row("B3", ["And then?"])
    sheet.write_row("B4", ["From abroad?"])
    sheet.merge_range("C2:C3", "network", bold)
    sheet.write_row("A8", ["mail", "Where is my mail?", "mail"])
    sheet.write_row("A9", ["", "Hidden?", ""])
    sheet.set_row(8, None, None, {"hidden": True})
    book.close()


def make_iso(path):
    """Dates as texts of ISO 8601."""
    book = openpyxl.Workbook()
    book.iso_dates = True
    sheet = book.active
    sheet.title = "My sheet"
    sheet.append(["message", "due", "day", "at", "wait"])
    sheet.append(["How?", MOMENT, DAY, datetime.time(9, 5), datetime.timedelta(hours=36)])
    sheet["B2"].number_format = "dd.mm.yyyy hh:mm"
    sheet["E2"].number_format = "[h]:mm"
    book.save(path)


def make_mac(path):
    """Days that count from 1904, and cells with a colour alone in the last column of all."""
    book = xlsxwriter.Workbook(path, {"date_1904": True, "nan_inf_to_errors": True})
    wait, day = book.add_format({"num_format": "[h]:mm"}), book.add_format({"num_format": "dd.mm.yyyy"})
    sheet = book.add_worksheet("A")
    sheet.write_row(0, 0, ["message", "wait", "due"])
    sheet.write(1, 0, "How?")
    sheet.write(1, 1, datetime.timedelta(hours=36), wait)
    sheet.write(1, 2, DAY, day)
    for row in range(2):
        sheet.write_blank(row, 16383, None, book.add_format({"bg_color": "yellow"}))
    sheet.write(2, 0, "NaN?")
    sheet.write(2, 1, float("nan"))
    book.close()


def make_edited(results, path):
    book = openpyxl.load_workbook(results)
    sheet = book["Results"]
    header = [cell.value for cell in sheet[1]]
    review, note = header.index("review") + 1, header.index("note") + 1
    sheet.cell(2, review, "good")
    sheet.cell(4, review, "Poor")
    sheet.cell(4, note, "names no article")
    book.save("/tmp/libreoffice/reviewed.xlsx")
    os.makedirs("/tmp/libreoffice/saved", exist_ok=True)
    convert("/tmp/libreoffice/reviewed.xlsx", "xlsx:Calc MS Excel 2007 XML", "/tmp/libreoffice/saved")
    os.replace("/tmp/libreoffice/saved/reviewed.xlsx", path)


def convert(source, kind, folder):
    subprocess.run(
        ["soffice", "--headless", "--convert-to", kind, "--outdir", folder, source],
        check=True,
        stdout=subprocess.DEVNULL,
    )


if __name__ == "__main__":
    os.chdir(HERE)
    make_openpyxl("openpyxl.xlsx")
    make_xlsxwriter("xlsxwriter.xlsx")
    make_conversations("conversations.xlsx")
    make_iso("openpyxl-iso.xlsx")
    make_mac("xlsxwriter-1904.xlsx")
    os.makedirs("/tmp/libreoffice", exist_ok=True)
    convert("openpyxl.xlsx", "xlsx:Calc MS Excel 2007 XML", "/tmp/libreoffice")
    os.replace("/tmp/libreoffice/openpyxl.xlsx", "libreoffice.xlsx")
    convert("conversations.xlsx", "xls:MS Excel 97", ".")
    os.replace("conversations.xls", "old.xls")
    if len(sys.argv) > 1:
        make_edited(sys.argv[1], "edited.xlsx")
