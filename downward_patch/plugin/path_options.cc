#include "path_options.h"

#include <cctype>
#include <vector>

using namespace std;

namespace asnets_plugin {
static const string MARK = "path_0x";

static bool is_space(char c) {
    return isspace(static_cast<unsigned char>(c));
}

static bool is_name_character(char c) {
    return isalnum(static_cast<unsigned char>(c)) || c == '_';
}

static string hidden(const string &path) {
    static const char *digits = "0123456789abcdef";
    string result = MARK;
    for (char each : path) {
        unsigned char byte = static_cast<unsigned char>(each);
        result += digits[byte >> 4];
        result += digits[byte & 15];
    }
    return result;
}

static void skip_spaces(const string &text, size_t &place) {
    while (place < text.size() && is_space(text[place]))
        ++place;
}

// The name that begins at `place`, in lower case; "" if none does.
static string read_name(const string &text, size_t &place) {
    string name;
    while (place < text.size() && is_name_character(text[place]))
        name += static_cast<char>(tolower(static_cast<unsigned char>(text[place++])));
    return name;
}

static string read_path(const string &text, size_t &place) {
    string path;
    if (place < text.size() && (text[place] == '"' || text[place] == '\'')) {
        char quote = text[place++];
        while (place < text.size() && text[place] != quote)
            path += text[place++];
        if (place < text.size())
            ++place;
        return path;
    }
    while (place < text.size() && text[place] != ',' && text[place] != ')')
        path += text[place++];
    while (!path.empty() && is_space(path.back()))
        path.pop_back();
    return path;
}

// At the beginning of an argument of asnet_...(): the place of its path, else npos.
static size_t path_of_argument(const string &text, size_t place, bool is_first) {
    skip_spaces(text, place);
    size_t value = place;
    string name = read_name(text, value);
    skip_spaces(text, value);
    if (!name.empty() && value < text.size() && text[value] == '=') {
        if (name != "model" && name != "domain" && name != "problem")
            return string::npos;
        ++value;
        skip_spaces(text, value);
        return value;
    }
    return is_first && place < text.size() && text[place] != ')' ? place : string::npos;
}

string hide_paths(const string &search) {
    string result;
    vector<bool> is_ours; // by open bracket: is it that of asnet_...()?
    string name; // what stands before the present place
    for (size_t i = 0; i < search.size();) {
        char c = search[i];
        result += c;
        ++i;
        if (is_name_character(c)) {
            name += static_cast<char>(tolower(static_cast<unsigned char>(c)));
            continue;
        }
        if (c == '(' || c == '[')
            is_ours.push_back(c == '(' && name.compare(0, 6, "asnet_") == 0);
        else if ((c == ')' || c == ']') && !is_ours.empty())
            is_ours.pop_back();
        if (!is_space(c))
            name.clear();
        if ((c == '(' || c == ',') && !is_ours.empty() && is_ours.back()) {
            size_t path = path_of_argument(search, i, c == '(');
            if (path != string::npos) {
                result += search.substr(i, path - i);
                result += hidden(read_path(search, path));
                i = path;
            }
        }
    }
    return result;
}

string shown_path(const string &value) {
    if (value.compare(0, MARK.size(), MARK) != 0)
        return value;
    string result;
    for (size_t i = MARK.size(); i + 1 < value.size(); i += 2)
        result += static_cast<char>(stoi(value.substr(i, 2), nullptr, 16));
    return result;
}
}
